// The portfolio: figures, - where a smaller budget is as fast, x where nothing fits, ? not known.
const STATUS = {satiated: "a smaller budget is as fast", impossible: "impossible", unexplored: "unexplored"}

async function drawPortfolio(now, isLatest, notes) {
  const {portfolio} = await fetchCells(now)
  if (!isLatest()) return
  const cellButton = (name) => {
    const cell = portfolio.cells[name]
    if (!cell) return ""
    const about = `${name}: ${STATUS[cell.status] ?? `${cell.symbol} cycles`}`
    return button(cell.symbol, {cell: name, variant: cell.variant}, about)
  }
  const row = (ram) => [escape(ram), ...portfolio.rom.map((rom) => cellButton(`${rom}/${ram}`))]
  const rows = portfolio.ram.map(row)
  const listed = new Set(portfolio.ram.flatMap((ram) => portfolio.rom.map((rom) => `${rom}/${ram}`)))
  const beside = Object.keys(portfolio.cells).filter((name) => !listed.has(name))
  const others = beside.map((name) => `${escape(name)} ${cellButton(name)}`).join(" &nbsp; ")
  M.grid.text = table(`${view.page.title}: ${view.page.ranked.join(" and ")}, cycles by budget`,
    ["RAM \\ ROM", ...portfolio.rom.map(escape)], rows, portfolio.rom.map((_, at) => at + 1)) +
    (others ? `<p>Published budgets: ${others}</p>` : "") +
    "<p>- a smaller budget is as fast; x nothing fits; ? not known; * best known, not proved optimal.</p>"
  if (now.cell && !portfolio.cells[now.cell])
    notes.push(`Nothing is known of budget "${now.cell}"; it may have been renamed`)
  drawCell(portfolio, now.cell)
}

function drawCell(portfolio, name) {
  const cell = portfolio.cells[name]
  if (!cell) {
    M.cell.text = "<p>Select a cell.</p>" + publishedTable("Published figures, counted by their own rules",
      portfolio.published)
    return
  }
  const budget = {rom: cell.rom_bound, ram: cell.ram_bound}
  const open = cell.variant ? `<p>${openVariant(cell.variant)} ` +
    button("Show in the trade-off", {...budget, view: "tradeoff"}) + "</p>" : ""
  M.cell.text = `<h2>${escape(name)}: ${escape(STATUS[cell.status] ?? "fits")}</h2>${open}` +
    `<p>Certificate: ${escape(cell.proof)}</p>` +
    `<pre>${escape(`${view.page.title} within ${cell.within}\n\n${cell.text}`)}</pre>` +
    publishedTable("Published within the same bounds", cell.published)
}

function publishedTable(caption, published) {
  if (!published.length) return ""
  const beaten = (figure) => figure.beaten == null ? "" : figure.beaten ? "yes" : "no"
  const size = (bytes) => bytes == null ? "" : number(bytes)
  const row = (figure) => [escape(figure.source), escape(figure.theirs), size(figure.rom), size(figure.ram),
    escape(figure.within), escape(figure.ours ?? ""), figure.variant ? openVariant(figure.variant) : "", beaten(figure),
    escape(figure.counted)]
  const heads = ["source", "theirs", "ROM", "RAM", "within", "ours", "variant", "beaten", "how they counted"]
  return table(caption, heads, published.map(row), [2, 3])
}
