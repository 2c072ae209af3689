// Message length: cycles a byte of the winners of the budgets, those that are ticked.
const curvesOf = (now) => view.cells?.[now.constant ? "constant" : "all"].curves ?? []

async function drawLengths(now, isLatest) {
  await fetchCells(now)
  if (!isLatest()) return
  const curves = curvesOf(now)
  const labels = curves.map((one) =>
    `${one.variant}: ${one.rom} B ROM, ${one.ram} B RAM (${one.budgets.slice(0, 3).join(", ")}` +
    `${one.budgets.length > 3 ? ", ..." : ""})`)
  if (labels.join() !== M.length_cells.labels.join()) {
    quietly(() => M.length_cells.setv({labels, active: labels.map((_, index) => index)}))
  }
  drawCurves(now)
}

function drawCurves(now) {
  const lines = {xs: [], ys: [], color: [], dash: [], label: []}
  const rows = []
  const curves = curvesOf(now)
  for (const index of M.length_cells.active) {
    const {curve, variant} = curves[index]
    const points = curve.lengths.map((bytes, at) => [bytes, curve.cycles[at]]).filter(([bytes]) => bytes > 0)
    lines.xs.push(points.map(([bytes]) => bytes))
    lines.ys.push(points.map(([bytes, cycles]) => cycles / bytes))
    lines.color.push(FIXED.palette[index % FIXED.palette.length])
    lines.dash.push(index < FIXED.palette.length ? [] : [6, 4])
    lines.label.push(M.length_cells.labels[index])
    rows.push([openVariant(variant), ...curve.cycles.map(number), number(curve.slope)])
  }
  M.length_lines.data = lines
  const lengths = curves.length ? curves[0].curve.lengths : []
  const heads = ["variant", ...lengths.map((bytes) => `${bytes} B`), "a byte, long"]
  M.length_table.text = rows.length
    ? table(`${view.page.title}: cycles of whole messages`, heads, rows, heads.map((_, at) => at).slice(1))
    : "<p>No curve of a winner is known, or none is ticked.</p>"
}
