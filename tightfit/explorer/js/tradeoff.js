// Trade-off: what fits is lit, the fastest that fits is ringed and named.
const LIT = 0.9, DIM = 0.08

const axisWords = (length) => length === BLOCK ? "cycles, the ranked figure of a block"
  : length === "long" ? "cycles a byte of a long message" : `cycles of a message of ${length} bytes`

const figuresOf = (view, state) =>
  state.length === BLOCK ? view.page.columns.cycles : view.lengths.cycles[state.length]

function drawTradeoff(view, state) {
  const {columns, title} = view.page
  const figures = figuresOf(view, state)
  const lit = fitting(columns, figures, state)
  const alpha = new Float32Array(columns.id.length).fill(DIM)
  for (const index of lit) alpha[index] = LIT
  if (view.drawn?.figures !== figures || view.drawn.constant !== state.constant)
    drawPoints(view, state, figures, alpha)
  else
    M.points.data = {...M.points.data, alpha}
  const best = fastest(lit, figures), front = steps(lit, columns.rom, figures)
  M.stairs.data = placed(front, columns, figures)
  M.best.data = placed(best < 0 ? [] : [best], columns, figures)
  M.bound.location = state.rom
  M.counts.text = `<h2>${escape(title)}</h2><p>${number(lit.length)} of ${number(columns.id.length)} known ` +
    "variants fit. Crosses: published figures, by their own rules. Select a point to open it.</p>"
  drawFront(columns, figures, front)
  nameWinner(view, state, best, figures)
}

const placed = (indices, columns, figures) =>
  ({rom: indices.map((one) => columns.rom[one]), y: indices.map((one) => figures[one])})

function drawPoints(view, state, figures, alpha) {
  view.drawn = {figures, constant: state.constant}
  const {id, rom, ram, template, front, front_constant} = view.page.columns
  const y = figures.map((figure) => figure > 0 ? figure : NaN)
  const size = (state.constant ? front_constant : front).map((one) => one ? 9 : 6)
  M.points.data = {id, rom, ram, template, y, alpha, size}
  const least = ram.reduce((a, b) => Math.min(a, b)), most = ram.reduce((a, b) => Math.max(a, b))
  M.colours.setv({low: Math.max(1, least), high: Math.max(least + 1, most)})
  M.tradeoff_y.axis_label = axisWords(state.length)
  const theirs = view.page.published, nothing = {rom: [], y: [], source: [], counted: []}
  M.theirs.data = state.length === BLOCK ? {...theirs, y: theirs.cycles} : nothing
}

function drawFront({id, rom, ram}, figures, front) {
  const row = (one) => [openVariant(id[one]), number(rom[one]), number(ram[one]), number(figures[one])]
  const heads = ["variant", "ROM", "RAM", "cycles"]
  M.front.text = front.length ? table("The front within the budgets", heads, front.map(row), [1, 2, 3])
    : "<p>Nothing known fits these budgets.</p>"
}

async function nameWinner(view, state, best, figures) {
  const {id, rom, ram, template} = view.page.columns
  const asked = `<h3>Fastest within ${bytes(state.rom)} ROM, ${bytes(state.ram)} RAM</h3>`
  view.named = best < 0 ? null : id[best]
  if (best < 0) {
    M.winner.text = `${asked}<p>Nothing known fits.</p>`
    return
  }
  const cost = `<p>${openVariant(id[best])} <b>${number(figures[best])}</b> cycles, ` +
    `${bytes(rom[best])} of ROM, ${bytes(ram[best])} of RAM</p>`
  const say = (recipe) => { M.winner.text = `${asked}${cost}<p>${escape(recipe)}</p>` }
  const known = variants.get(id[best])
  say(known?.recipe ?? template[best])
  if (known) return
  try {
    const {recipe} = await variantPage(id[best])
    if (view.named === id[best]) say(recipe)
  } catch { /* its template stays named; the file does not hold its knobs */ }
}
