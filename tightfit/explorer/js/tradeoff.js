// Trade-off: what fits is lit, the fastest that fits is ringed and named.
const LIT = 0.9, DIM = 0.08

const axisWords = (length) => length === BLOCK ? "cycles, the ranked figure of a block"
  : length === "long" ? "cycles a byte of a long message" : `cycles of a message of ${length} bytes`

function figuresOf(view, state) {
  return state.length === BLOCK ? view.page.columns.cycles : view.lengths.cycles[state.length]
}

function drawTradeoff(view, state) {
  const {columns} = view.page
  const figures = figuresOf(view, state)
  const lit = fitting(columns, figures, state)
  const alpha = new Float32Array(columns.id.length).fill(DIM)
  for (const index of lit) alpha[index] = LIT
  if (view.drawn !== figures) {
    view.drawn = figures
    const onFront = state.constant ? columns.front_constant : columns.front
    const {id, rom, ram, template} = columns
    const y = figures.map((figure) => figure > 0 ? figure : NaN)
    M.points.data = {id, rom, ram, template, y, alpha, size: onFront.map((one) => one ? 9 : 6)}
    const rams = ram.toSorted((a, b) => a - b)
    M.colours.setv({low: Math.max(1, rams[0]), high: Math.max(rams.at(-1), rams[0] + 1)})
    M.tradeoff_y.axis_label = axisWords(state.length)
    const theirs = view.page.published
    M.theirs.data = state.length === BLOCK ? {...theirs, y: theirs.cycles} : {rom: [], y: [], source: [], counted: []}
  } else {
    M.points.data = {...M.points.data, alpha}
  }
  const stairs = steps(lit, columns.rom, figures)
  M.stairs.data = {rom: stairs.map((one) => columns.rom[one]), y: stairs.map((one) => figures[one])}
  M.bound.location = state.rom
  const best = fastest(lit, figures)
  M.best.data = best < 0 ? {rom: [], y: []} : {rom: [columns.rom[best]], y: [figures[best]]}
  drawFront(columns, figures, stairs)
  M.counts.text = `<h2>${escape(view.page.title)}</h2><p>${number(lit.length)} of ${number(columns.id.length)} ` +
    "known variants fit. Crosses: published figures, counted by their own rules. Select a point to open it.</p>"
  nameWinner(view, state, best, figures)
}

function drawFront(columns, figures, stairs) {
  const rows = stairs.map((one) =>
    [openVariant(columns.id[one]), number(columns.rom[one]), number(columns.ram[one]), number(figures[one])])
  const nothing = "<p>Nothing known fits these budgets.</p>"
  M.front.text = rows.length ? table("The front within the budgets", ["variant", "ROM", "RAM", "cycles"], rows, [1, 2, 3])
    : nothing
}

async function nameWinner(view, state, best, figures) {
  const asked = `<h3>Fastest within ${bytes(state.rom)} of ROM, ${bytes(state.ram)} of RAM</h3>`
  const {columns} = view.page
  if (best < 0) {
    M.winner.text = `${asked}<p>Nothing known fits.</p>`
    view.named = null
    return
  }
  const id = columns.id[best]
  const cost = `<p>${openVariant(id)} <b>${number(figures[best])}</b> cycles, ${bytes(columns.rom[best])} of ROM, ` +
    `${bytes(columns.ram[best])} of RAM</p>`
  view.named = id
  const known = variants.get(id)
  M.winner.text = `${asked}${cost}<p>${known ? escape(known.recipe) : escape(columns.template[best])}</p>`
  if (known) return
  try {
    const page = await variantPage(id)
    if (view.named === id) M.winner.text = `${asked}${cost}<p>${escape(page.recipe)}</p>`
  } catch { /* its template stays named; the file does not hold its knobs */ }
}
