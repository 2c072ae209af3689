// The best of each kind of primitive on each target within the sizes, in one picture.
const BEST_HINT = "<h3>What fits</h3><p>Set the most ROM and RAM above. Select a primitive to see what it trades.</p>"

// Where a target is asked: the part that is chosen, on other targets the default one.
function placesAsked(now) {
  const {places} = catalogue
  return [...new Set(places.map(({target}) => target))].map((target) =>
    target === now.target ? placeOf(now, places) : defaultPlace(target, places))
}

// The primitives of a place, each with the fastest variant that fits; its index is below 0 where none does.
function foundOn(place, now, all) {
  const mask = maskOf(conditionsOn(now.only, place))
  const asked = {...now, mask}
  return all.filter(({target, simulated}) => target === place.target && simulated === place.simulated).map((series) => {
    const figures = cyclesByte(series, now.length)
    const best = fastest(fittingOn(place, series, figures, asked), figures)
    return {series, best, figure: best < 0 ? null : figures[best], asked}
  })
}

async function drawBest(now, isLatest) {
  const known = now.length === BLOCK ? view.best ??= await ask("headline") : view.areas ??= await ask("areas")
  if (!isLatest()) return
  put(M.winner, BEST_HINT)
  put(M.best_of_kinds, bestText(now, known.series))
}

function bestText(now, all) {
  const places = placesAsked(now)
  const found = new Map(places.map((place) => [place, foundOn(place, now, all)]))
  const kinds = [...new Set(all.map(({kind}) => kind))].sort()
  const length = now.length === BLOCK ? "" : `, ${axisWords(now.length)}`
  const charts = kinds.map((kind) => bestOfKind(kind, places.map((place) =>
    [place, found.get(place).filter(({series}) => series.kind === kind)]), now))
  return `<h2>The best within ${bytes(now.rom)} ROM, ${bytes(now.ram)} RAM${escape(length)}</h2>` +
    `<p>The fastest primitive of each kind on each target, by its first operation; a short bar is fast. ` +
    `<code>${escape(askCommand(now))}</code> ranks all of them.</p><div class="kinds">${charts.join("")}</div>`
}

function askCommand(now) {
  const bounds = ["rom", "ram"].filter((name) => now[name] != null).map((name) => ` --${name} ${now[name]}`)
  const only = now.only.split(",").filter((name) => name).map((name) => ` --${name}`)
  const message = Number(now.length) > 0 ? ` --message ${now.length}` : ""
  return `tightfit ask${bounds.join("")}${only.join("")}${message}`
}

function bestOfKind(kind, byPlace, now) {
  const rows = byPlace.filter(([, found]) => found.length).map(([place, found]) => [place, found, leading(found)])
  const most = Math.max(...rows.map(([, , first]) => first?.figure ?? 0))
  const cells = rows.map(([place, found, first]) => {
    const label = `<span title="${escape(place.label)}">${escape(place.target)}</span>`
    const left = found.filter(({best}) => best < 0).map(({series}) => series.primitive)
    const fitting = `<span title="${escape(left.length ? `do not fit: ${left.join(", ")}` : "all fit")}">` +
      `${found.length - left.length} of ${found.length}</span>`
    return first ? [label, openPrimitive(place, first.series), bestBar(place, first.figure, most), number(first.figure),
      number(first.series.columns.rom[first.best]), number(first.series.columns.ram[first.best]), fitting]
      : [label, leastWords(found, now), "", "", "", "", fitting]
  })
  const words = `${plural(kind)[0].toUpperCase()}${plural(kind).slice(1)}`
  return table(words, ["", "best", "", "cycles a byte", "ROM", "RAM", "fit"], cells, [3, 4, 5, 6])
}

// Of those that fit the fastest; of equals the one that comes first by its name.
const leading = (found) => found.filter(({best}) => best >= 0).sort((a, b) =>
  a.figure - b.figure || (a.series.primitive < b.series.primitive ? -1 : 1))[0]

const openPrimitive = ({target, part}, {primitive, operation, about}) => button(primitive,
  {target, part, primitive, operation, cell: null, view: "tradeoff"}, `${about} on ${target} in the trade-off`)

function bestBar({target}, figure, most) {
  const colour = FIXED.palette[FIXED.targets.indexOf(target) % FIXED.palette.length]
  const style = `width: ${(100 * figure / most).toFixed(1)}%; background: ${colour}`
  return `<div class="bars"><span class="bar" style="${style}"></span></div>`
}

// Where none of a kind fits, the least that would: within one of the bounds if that is possible.
function leastWords(found, now) {
  const sizes = found.flatMap(({series: {columns, primitive}, asked: {mask}}) =>
    [...columns.id.keys()].filter((at) => (columns.met[at] & mask) === mask).map((at) =>
      ({primitive, rom: sized(columns, "rom", at, mask), ram: sized(columns, "ram", at, mask)})))
  const least = (name, other) => sizes.filter((each) => within(each[other], now[other]))
    .sort((a, b) => a[name] - b[name] || a[other] - b[other])[0]
  const nearest = least("rom", "ram") ?? least("ram", "rom") ?? sizes.sort((a, b) => a.rom - b.rom || a.ram - b.ram)[0]
  if (!nearest) return "none fits the conditions"
  const {primitive, rom, ram} = nearest
  const larger = (name, size) => now[name] == null ? null : Math.max(now[name], size)
  return `none fits; ${button(`${rom} / ${ram} B`, {rom: larger("rom", rom), ram: larger("ram", ram)},
    `Set the sizes to the least of ${primitive}`)} is the least`
}
