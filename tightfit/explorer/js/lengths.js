// Message length: cycles a byte of the winners of the budgets and of other routines, those that are ticked.
const DASHED = [6, 4]
const unticked = new Set() // labels of lines
let listed = ""

// Every line that can be ticked: what it is called, what it looks like, what heads its row in the table.
function linesOf(now) {
  const {curves, rivals} = view.cells
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
  const boxes = linesOf(now).map(tickBox).join("")
  if (boxes !== listed) M.length_cells.text = boxes
  listed = boxes
  drawCurves(now)
}

// A box to tick with the line's colour and dashes.
function tickBox({label, color, dash}) {
  const style = dash.length === 0 ? "solid" : dash === DASHED ? "dashed" : "dotted"
  const ticked = unticked.has(label) ? "" : " checked"
  return `<label class="line"><input type="checkbox" data-line="${escape(label)}"${ticked}>` +
    `<span class="key" style="border-top: 3px ${style} ${color}"></span><span>${escape(label)}</span></label>`
}

function tickLine(label, isTicked) {
  if (isTicked) unticked.delete(label)
  else unticked.add(label)
  listed = linesOf(state).map(tickBox).join("") // as it is on the screen now
  drawCurves(state)
}

function drawCurves(now) {
  const lines = linesOf(now)
  const ticked = lines.filter((line) => !unticked.has(line.label))
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
