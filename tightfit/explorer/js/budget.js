// What fits, what is fastest, what the front is. Variants come in the order in which `ask` ranks them.
const within = (size, bound) => bound == null || size <= bound

// Bytes that count of one kind of memory: with the worst padding where a condition asks for it.
const sized = (columns, name, index, mask) =>
  columns[name][index] + (mask & FIXED.padded ? columns[`${name}_padding`][index] : 0)

function fits(columns, index, state) {
  return within(sized(columns, "rom", index, state.mask), state.rom) &&
    within(sized(columns, "ram", index, state.mask), state.ram) &&
    (columns.met[index] & state.mask) === state.mask
}

// Indices of what fits and has a figure on the axis.
const fitting = (columns, figures, state) =>
  [...columns.id.keys()].filter((index) => figures[index] > 0 && fits(columns, index, state))

// The variant with the least figure; of equals the one that comes first.
const fastest = (indices, figures) =>
  indices.reduce((best, index) => best < 0 || figures[index] < figures[best] ? index : best, -1)

// The variants under the conditions that no other equals or beats in ROM, RAM and cycles of a block: 0 or 1.
function frontOf(columns, mask) {
  const {id, met} = columns, marks = new Uint8Array(id.length), least = []
  const size = (name, index) => sized(columns, name, index, mask)
  id.forEach((_, index) => { // those that come before take no more cycles
    if ((met[index] & mask) !== mask) return
    if (least.some((other) => size("rom", other) <= size("rom", index) && size("ram", other) <= size("ram", index))) return
    least.push(index)
    marks[index] = 1
  })
  return marks
}

// One variant for each spot on the screen, those that fit first: what lies under another is not drawn.
function seen(lit, columns, figures, front, spot) {
  const taken = new Set(), shown = []
  const claim = (index, must) => {
    const place = spot(columns.rom[index], figures[index])
    if (taken.has(place) && !must) return
    taken.add(place)
    shown.push(index)
  }
  const fits = new Uint8Array(columns.id.length)
  for (const index of lit) fits[index] = 1
  for (const index of lit) claim(index, front[index])
  fits.forEach((fit, index) => { if (!fit && figures[index] > 0) claim(index, false) })
  return shown
}

// Those that nothing smaller equals or beats: the steps of the front in the plane of size and figure.
function steps(indices, sizes, figures) {
  const front = []
  for (const index of indices.toSorted((a, b) => sizes[a] - sizes[b] || figures[a] - figures[b]))
    if (!front.length || figures[index] < figures[front.at(-1)]) front.push(index)
  return front
}
