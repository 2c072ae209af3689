// The portfolio: figures, - where a smaller budget is as fast, x where nothing fits, ? not known.
const STATUS = {satiated: "a smaller budget is as fast", impossible: "impossible", unexplored: "unexplored"}

async function drawPortfolio(now, isLatest, notes) {
  await fetchCells(now)
  if (!isLatest()) return
  const {portfolio} = view.cells[now.constant ? "constant" : "all"]
  const cellButton = (name) => {
    const one = portfolio.cells[name]
    if (!one) return ""
    const about = `${name}: ${STATUS[one.status] ?? `${one.symbol} cycles`}`
    return button(one.symbol, {cell: name, variant: one.variant}, about)
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
  const one = portfolio.cells[name]
  if (!one) {
    M.cell.text = "<p>Select a cell.</p>" + publishedTable("Published figures, counted by their own rules",
      portfolio.published)
    return
  }
  const open = one.variant ? `<p>${openVariant(one.variant)} ` +
    button("Show in the trade-off", {rom: one.rom_bound, ram: one.ram_bound, view: "tradeoff"}) + "</p>" : ""
  M.cell.text = `<h2>${escape(name)}: ${escape(STATUS[one.status] ?? "fits")}</h2>${open}` +
    `<p>Certificate: ${escape(one.proof)}</p><pre>${escape(one.text)}</pre>` +
    publishedTable("Published within the same bounds", one.published)
}

function publishedTable(caption, published) {
  if (!published.length) return ""
  const beaten = (one) => one.beaten == null ? "" : one.beaten ? "yes" : "no"
  const rows = published.map((one) => [escape(one.source), escape(one.theirs), bytes(one.rom), bytes(one.ram),
    escape(one.ours ?? ""), one.variant ? openVariant(one.variant) : "", beaten(one), escape(one.counted)])
  const heads = ["source", "theirs", "ROM", "RAM", "ours", "variant", "beaten", "how they counted"]
  return table(caption, heads, rows, [2, 3])
}
