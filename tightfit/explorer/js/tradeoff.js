// Trade-off: what fits is lit, the fastest that fits is ringed and named.
const LIT = 0.9, DIM = 0.12, DIMMED = 0.3

const axisWords = (length) => length === BLOCK ? "cycles, the ranked figure of a block"
  : length === "long" ? "cycles a byte of a long message" : `cycles of a message of ${length} bytes`

const figuresOf = (view, state) =>
  state.length === BLOCK ? view.page.columns.cycles : view.lengths.cycles[state.length]

function drawTradeoff(view, state) {
  const {columns, title} = view.page
  const figures = figuresOf(view, state)
  const lit = fitting(columns, figures, state)
  if (view.drawn?.figures !== figures || view.drawn.mask !== state.mask)
    view.drawn = {figures, mask: state.mask, front: frontOf(columns, state.mask), top: null}
  const best = fastest(lit, figures), front = steps(lit, columns.rom, figures)
  const above = fitRanges(view, state, figures, best)
  drawPoints(view, state, figures, lit)
  drawBeside(view, state)
  M.stairs.data = placed(front, columns, figures)
  M.best.data = placed(best < 0 ? [] : [best], columns, figures)
  M.bound.data = {rom: state.rom == null ? [] : [state.rom]}
  put(M.counts, `<h2>${escape(title)}</h2><p>${number(lit.length)} of ${number(columns.id.length)} known ` +
    `variants fit. Select a point to open it.</p><p>${legend(view, state)} ${aboveWords(above, state)}</p>`)
  atRest(M.front, () => drawFront(view, state, figures, front))
  nameWinner(view, state, best, figures)
}

const placed = (indices, columns, figures) =>
  ({rom: indices.map((index) => columns.rom[index]), y: indices.map((index) => figures[index])})

// Slower than so many times the fastest is out of sight, unless it is what fits or all is asked for.
const NEAR = 32

// Axes and colours; how many variants are slower than what is in sight.
function fitRanges(view, state, figures, best) {
  const {rom, ram} = view.page.columns, beside = besideAt(view, state) // hidden or not
  const known = [...figures, ...beside.map(([, figure]) => figure)].filter((figure) => figure > 0)
  const top = Math.max(NEAR * extent(known)[0], best < 0 ? 0 : figures[best])
  const near = known.filter((figure) => figure <= top)
  const shown = state.axes === "all" ? known : near
  if (view.drawn.top !== extent(shown)[1]) {
    view.drawn.top = extent(shown)[1]
    fitRange(M.tradeoff_xs, [...rom, ...beside.map(([size]) => size)])
    fitRange(M.tradeoff_ys, shown)
    const [least, most] = extent(ram.length ? ram : [1])
    M.colours.setv({low: Math.max(1, least), high: Math.max(least + 1, most)})
  }
  return known.length - near.length
}

function aboveWords(above, state) {
  if (!above) return ""
  return state.axes === "all" ? button("Show the fast ones larger", {axes: null})
    : `${number(above)} slower ones lie above the figure. ${button("Show all", {axes: "all"})}`
}

const extent = (figures) => figures.reduce(
  ([low, high], figure) => [Math.min(low, figure), Math.max(high, figure)], [Infinity, 0])

function fitRange(range, figures) {
  const [low, high] = extent(figures.length ? figures : [1, 2])
  const margin = (2 * high / low) ** 0.05
  const [start, end] = [low / margin, high * margin]
  quietly(() => range.setv({start, end, reset_start: start, reset_end: end}))
}

// Spots of the screen on which one dot covers all others.
const SPOTS = {x: 130, y: 120}

function spotter() {
  const {tradeoff_xs: xs, tradeoff_ys: ys} = M
  const across = SPOTS.x / Math.log2(xs.end / xs.start), up = SPOTS.y / Math.log2(ys.end / ys.start)
  return (x, y) => Math.round(Math.log2(x) * across) * 1e6 + Math.round(Math.log2(y) * up)
}

function drawPoints(view, state, figures, lit) {
  const {columns} = view.page
  const {front} = view.drawn
  const shown = seen(lit, columns, figures, front, spotter())
  const fits = new Set(lit)
  const pick = (column) => shown.map((index) => column[index])
  M.points.data = {
    id: pick(columns.id), rom: pick(columns.rom), ram: pick(columns.ram), template: pick(columns.template),
    y: pick(figures),
    alpha: shown.map((index) => fits.has(index) ? LIT : DIM),
    size: shown.map((index) => front[index] ? 9 : 6),
  }
  M.tradeoff_y.axis_label = axisWords(state.length)
}

function drawFront(view, state, figures, front) {
  const {id, rom, ram, rom_padding, ram_padding} = view.page.columns
  const row = (at) => [openVariant(id[at]), padded(rom[at], rom_padding[at]), padded(ram[at], ram_padding[at]),
    number(figures[at])]
  const heads = ["variant", "ROM", "RAM", "cycles"]
  const rule = front.some((at) => rom_padding[at] || ram_padding[at]) ? `<p>${escape(FIXED.padding)}</p>` : ""
  const ours = front.length ? table("The front within the budgets", heads, front.map(row), [1, 2, 3]) + rule
    : "<p>Nothing known fits these budgets.</p>"
  M.front.text = ours + rivalTable(view, state)
}

async function nameWinner(view, state, best, figures) {
  const {id, rom, ram, template} = view.page.columns
  const asked = `<h3>Fastest within ${bytes(state.rom)} ROM, ${bytes(state.ram)} RAM</h3>`
  const asking = view.asking = {} // what is asked later has the last word
  view.named = best < 0 ? null : id[best]
  if (best < 0) {
    put(M.winner, `${asked}<p>Nothing known fits.</p>`)
    const words = await emptyWords(view, state, figures).catch((error) => `<p>${escape(error.message)}</p>`)
    if (view.asking === asking) put(M.winner, asked + words)
    return
  }
  const cost = `<p>${openVariant(id[best])} <b>${number(figures[best])}</b> cycles, ` +
    `${bytes(rom[best])} of ROM, ${bytes(ram[best])} of RAM</p>`
  const say = (recipe) => put(M.winner, `${asked}${cost}<p>${escape(recipe)}</p>`)
  if (!variants.has(id[best])) say(template[best])
  try {
    const {recipe} = await variantPage(id[best])
    if (view.asking === asking) say(recipe)
  } catch { // the file does not hold its knobs
    if (view.asking === asking) say(template[best])
  }
}
