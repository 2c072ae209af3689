// Area against throughput: for each primitive the steps of its front, on every target.
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
  kept.forEach((one, at) => {
    if (at) { xs.push(sizes[one]); ys.push(ys.at(-1)) }
    xs.push(sizes[one])
    ys.push(figures[one])
  })
  return {kept, xs, ys}
}

async function drawArea(now, isLatest) {
  view.areas ??= await ask("areas")
  if (!isLatest()) return
  const families = [...new Set(view.areas.series.map((one) => one.family))].sort()
  const colour = (one) => FIXED.palette[families.indexOf(one.family) % FIXED.palette.length]
  const dash = (one) => one.bits === "512" ? [6, 4] : []
  for (const target of FIXED.targets) {
    const lines = {xs: [], ys: [], color: [], dash: [], width: []}
    const points = {area: [], y: [], id: [], subject: [], rom: [], ram: [], color: []}
    const series = view.areas.series.filter((each) => each.target === target)
    const isChosen = (one) => one.primitive === now.primitive // and lies above the others
    for (const one of series.toSorted((a, b) => isChosen(a) - isChosen(b))) {
      const figures = throughputs(one, now.length)
      const {kept, xs, ys} = steadily(fitting(one.columns, figures, {constant: now.constant}),
        one.columns.area, figures)
      lines.xs.push(xs)
      lines.ys.push(ys)
      lines.color.push(colour(one))
      lines.dash.push(dash(one))
      lines.width.push(isChosen(one) ? 3.5 : 1.5)
      for (const index of kept) {
        for (const name of ["area", "id", "rom", "ram"]) points[name].push(one.columns[name][index])
        points.y.push(figures[index])
        points.subject.push(one.subject)
        points.color.push(colour(one))
      }
    }
    M[`area_lines_${target}`].data = lines
    M[`area_points_${target}`].data = points
  }
  drawKey(colour)
}

function drawKey(colour) {
  const names = new Map(view.areas.series.map((one) => [one.primitive, one]))
  const line = (one) => `border-top: 3px ${one.bits === "512" ? "dashed" : "solid"} ${colour(one)}`
  const key = ([name, one]) => `<span class="key" style="${line(one)}"></span>${escape(name)}`
  M.area_key.text = "<p>The front of the first operation of every primitive. Select a point to open its " +
    `variant.</p><p>${[...names].map(key).join(" &nbsp; ")}</p>`
}
