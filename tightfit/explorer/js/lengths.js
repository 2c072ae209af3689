// Message length: cycles a byte of the winners of the budgets and of other routines, those that are ticked.
const DASHED = [6, 4]

// Every line that can be ticked: what it is called, what it looks like, what heads its row in the table.
function linesOf(now) {
  const {curves, rivals} = view.cells[now.constant ? "constant" : "all"]
  const ours = curves.map(({curve, variant, rom, ram, budgets}, index) => ({
    curve,
    label: `${variant}: ${rom} B ROM, ${ram} B RAM (${budgets.slice(0, 3).join(", ")}` +
      `${budgets.length > 3 ? ", ..." : ""})`,
    head: openVariant(variant),
    color: FIXED.palette[index % FIXED.palette.length],
    dash: index < FIXED.palette.length ? [] : DASHED,
  }))
  const shown = rivals.filter((routine) => !isHidden(now, routine.origin))
  const theirs = shown.map(({curve, origin, title, rom, ram}) => {
    const {sign, color} = FIXED.rivals[origin], signed = `${sign} ${title}`
    return {curve, label: `${signed}: ${rom} B ROM, ${ram} B RAM`, head: escape(signed), color, dash: [2, 3]}
  })
  return [...ours, ...theirs]
}

async function drawLengths(now, isLatest) {
  await fetchCells(now)
  if (!isLatest()) return
  const labels = linesOf(now).map((line) => line.label)
  if (labels.join() !== M.length_cells.labels.join()) {
    quietly(() => M.length_cells.setv({labels, active: labels.map((_, index) => index)}))
  }
  drawCurves(now)
}

function drawCurves(now) {
  const lines = linesOf(now)
  const ticked = M.length_cells.active.map((index) => lines[index])
  const points = ticked.map(({curve}) => curve.lengths
    .map((bytes, at) => [bytes, curve.cycles[at]]).filter(([bytes]) => bytes > 0))
  const column = (name) => ticked.map((line) => line[name])
  M.length_lines.data = {
    xs: points.map((each) => each.map(([bytes]) => bytes)),
    ys: points.map((each) => each.map(([bytes, cycles]) => cycles / bytes)),
    color: column("color"), label: column("label"), dash: column("dash"),
  }
  const lengths = lines.length ? lines[0].curve.lengths : []
  const heads = ["variant", ...lengths.map((bytes) => `${bytes} B`), "a byte, long"]
  const rows = ticked.map(({head, curve}) => [head, ...curve.cycles.map(number), number(curve.slope)])
  M.length_table.text = rows.length
    ? table(`${view.page.title}: cycles of whole messages`, heads, rows, heads.map((_, at) => at).slice(1))
    : "<p>No curve of a winner is known, or none is ticked.</p>"
}
