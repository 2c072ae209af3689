// What fits, what is fastest, what the front is. Variants come in the order in which `ask` ranks them.
const within = (size, bound) => bound == null || size <= bound

function fits(columns, index, state) {
  return within(columns.rom[index], state.rom) && within(columns.ram[index], state.ram) &&
    (!state.constant || columns.constant[index] === 1)
}

// Indices of what fits and has a figure on the axis.
function fitting(columns, figures, state) {
  const found = []
  for (let index = 0; index < columns.id.length; index++)
    if (figures[index] > 0 && fits(columns, index, state)) found.push(index)
  return found
}

// The one with the least figure; of equals the one that comes first.
const fastest = (indices, figures) =>
  indices.reduce((best, one) => best < 0 || figures[one] < figures[best] ? one : best, -1)

// One variant for each spot on the screen, those that fit first: what lies under another is not drawn.
function seen(lit, columns, figures, spot) {
  const taken = new Set(), found = []
  const claim = (index, must) => {
    const place = spot(columns.rom[index], figures[index])
    if (taken.has(place) && !must) return
    taken.add(place)
    found.push(index)
  }
  const fits = new Uint8Array(columns.id.length)
  for (const index of lit) fits[index] = 1
  for (const index of lit) claim(index, columns.front[index])
  fits.forEach((fit, index) => { if (!fit && figures[index] > 0) claim(index, false) })
  return found
}

// Those that nothing smaller equals or beats: the steps of the front in the plane of size and figure.
function steps(indices, sizes, figures) {
  const found = []
  for (const one of indices.toSorted((a, b) => sizes[a] - sizes[b] || figures[a] - figures[b]))
    if (!found.length || figures[one] < figures[found.at(-1)]) found.push(one)
  return found
}
