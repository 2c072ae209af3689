// Area against throughput: for each primitive the steps of its front, on a part of every target.
const throughput = (bytes, cycles) => 1000 * bytes / cycles

// Bytes per 1000 cycles of each variant of a series, for the message length that is looked at.
function throughputs(series, length) {
  if (length === BLOCK) return series.columns.cycles.map((cycles) => throughput(series.block, cycles))
  const size = length === "long" ? 1 : Number(length)
  return series.lengths[length].map((cycles) => throughput(size, cycles))
}

function steadily(indices, sizes, figures) {
  const slow = figures.map((figure) => -figure)
  const kept = steps(indices, sizes, slow)
  const xs = [], ys = []
  kept.forEach((index, at) => {
    if (at) { xs.push(sizes[index]); ys.push(ys.at(-1)) }
    xs.push(sizes[index])
    ys.push(figures[index])
  })
  return {kept, xs, ys}
}

async function drawArea(now, isLatest) {
  view.areas ??= await ask("areas")
  if (!isLatest()) return
  const families = [...new Set(view.areas.series.map((series) => series.family))].sort()
  const colour = (series) => FIXED.palette[families.indexOf(series.family) % FIXED.palette.length]
  for (const target of FIXED.targets) drawTarget(target, now, colour)
  drawKey(colour)
}

// The fronts of a target: on the part that is chosen, on its first one where another target is chosen.
function drawTarget(target, now, colour) {
  const {places} = catalogue
  const place = now.target === target ? placeOf(now, places) : firstPlace(target, places)
  const lines = {xs: [], ys: [], color: [], dash: [], width: []}
  const points = {area: [], y: [], id: [], subject: [], rom: [], ram: [], color: []}
  const shown = view.areas.series.filter((series) =>
    series.target === target && series.simulated === place?.simulated)
  const isChosen = (series) => series.primitive === now.primitive // and lies above the others
  for (const series of shown.toSorted((a, b) => isChosen(a) - isChosen(b))) {
    const {columns} = series, figures = throughputs(series, now.length)
    const indices = fitting(columns, figures, {...place.memory, mask: now.mask})
    const {kept, xs, ys} = steadily(indices, columns.area, figures)
    lines.xs.push(xs)
    lines.ys.push(ys)
    lines.color.push(colour(series))
    lines.dash.push(series.bits === "512" ? [6, 4] : [])
    lines.width.push(isChosen(series) ? 3.5 : 1.5)
    for (const index of kept) {
      for (const name of ["area", "id", "rom", "ram"]) points[name].push(columns[name][index])
      points.y.push(figures[index])
      points.subject.push(`${series.about} on ${place.label}`)
      points.color.push(colour(series))
    }
  }
  M[`area_title_${target}`].text = place?.label ?? `${target}: nothing is known`
  M[`area_lines_${target}`].data = lines
  M[`area_points_${target}`].data = points
}

function drawKey(colour) {
  const byPrimitive = new Map(view.areas.series.map((series) => [series.primitive, series]))
  const line = (series) => `border-top: 3px ${series.bits === "512" ? "dashed" : "solid"} ${colour(series)}`
  const key = ([name, series]) => `<span class="key" style="${line(series)}"></span>${escape(name)}`
  M.area_key.text = "<p>The front of the first operation of every primitive. Select a point to open its " +
    `variant.</p><p>${[...byPrimitive].map(key).join(" &nbsp; ")}</p>`
}
