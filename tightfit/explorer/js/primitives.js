// All primitives within the budgets: for each the fastest that fits, as bars by kind.
let drawnBars = ""

// The first operation of every primitive on the class of a part.
const seriesOn = ({target, simulated}) =>
  view.areas.series.filter((series) => series.target === target && series.simulated === simulated)

// Cycles a byte of each variant of a series, for the message length that is looked at.
function cyclesByte({columns, lengths, block}, length) {
  if (length === BLOCK) return columns.cycles.map((cycles) => cycles / block)
  return length === "long" ? lengths.long : lengths[length].map((cycles) => cycles / Number(length))
}

// What of a series fits the budgets, the conditions and the part.
const fittingOn = ({memory}, {columns}, figures, now) => {
  const size = (name, at) => sized(columns, name, at, now.mask)
  return fitting(columns, figures, now).filter((at) => fitsMemory(size("rom", at), size("ram", at), memory))
}

async function drawPrimitives(now, isLatest) {
  view.areas ??= await ask("areas")
  if (!isLatest()) return
  const found = fastestOfEach(now)
  const text = barsText(now, found)
  if (text !== drawnBars) M.bars.text = text
  drawnBars = text
  drawKind(now, found)
  atRest(M.together, () => { M.together.text = togetherText(now) })
}

// Of each primitive on the part the fastest variant that fits; `best` is below 0 where none does.
function fastestOfEach(now) {
  const place = placeOf(now, catalogue.places)
  return seriesOn(place).map((series) => {
    const figures = cyclesByte(series, now.length)
    const best = fastest(fittingOn(place, series, figures, now), figures)
    return {series, best, figure: best < 0 ? null : figures[best]}
  })
}

// The primitives of the kind that is looked at: a line for each.
function drawKind(now, found) {
  const kind = found.find(({series}) => series.primitive === now.primitive)?.series.kind
  const lines = found.filter(({series, best}) => series.kind === kind && best >= 0).map(({series, best}, at) => {
    const known = Object.entries(series.lengths).filter(([length, cycles]) => length !== "long" && cycles[best])
    const points = known.map(([length, cycles]) => [Number(length), cycles[best] / length])
    const round = Math.floor(at / FIXED.palette.length)
    return {
      label: series.primitive, color: FIXED.palette[at % FIXED.palette.length], dash: round ? DASHED : [],
      points: points.toSorted(([one], [other]) => one - other),
    }
  }).filter(({points}) => points.length)
  const column = (name) => lines.map((line) => line[name])
  const axis = (at) => lines.map(({points}) => points.map((point) => point[at]))
  M.kind_lines.data = {xs: axis(0), ys: axis(1), color: column("color"), dash: column("dash"), label: column("label")}
}

function barsText(now, found) {
  const kinds = [...new Set(found.map(({series}) => series.kind))]
  const charts = kinds.map((kind) => kindChart(kind, found.filter(({series}) => series.kind === kind), now))
  return `<h2>Cycles a byte within ${bytes(now.rom)} ROM, ${bytes(now.ram)} RAM</h2>` +
    `<p>The fastest of each primitive that fits; a short bar is fast.</p>${charts.join("")}`
}

const plural = (kind) => `${kind.replaceAll("-", " ")}${/sh$/.test(kind) ? "es" : "s"}`

function kindChart(kind, found, now) {
  const most = Math.max(...found.map(({figure}) => figure ?? 0))
  const order = ({figure}) => figure ?? Infinity
  const rows = found.toSorted((a, b) => order(a) - order(b)).map((each) => barRow(each, most, now))
  return table(`Fastest ${plural(kind)}`, ["", "primitive", "", "cycles a byte", "ROM", "RAM", "variant"], rows,
    [3, 4, 5])
}

function barRow({series: {primitive, operation, columns}, best, figure}, most, now) {
  const ticked = now.needs.split(",").includes(primitive) ? " checked" : ""
  const box = `<input type="checkbox" data-need="${escape(primitive)}"${ticked} ` +
    `aria-label="${escape(primitive)} is needed">`
  const name = button(primitive, {primitive, operation, view: "tradeoff"}, `${primitive} in the trade-off`)
  if (best < 0) return [box, name, "nothing known fits", "", "", "", ""]
  const bar = `<span class="bar" style="width: ${(100 * figure / most).toFixed(1)}%"></span>`
  return [box, name, `<div class="bars">${bar}</div>`, number(figure), number(columns.rom[best]),
    number(columns.ram[best]), openVariant(columns.id[best])]
}

function tickNeed(primitive, isTicked) {
  const others = state.needs.split(",").filter((name) => name && name !== primitive)
  const needs = [...others, ...(isTicked ? [primitive] : [])].join(",")
  drawnBars = barsText({...state, needs}, fastestOfEach(state)) // as it is on the screen now
  show({needs})
}
