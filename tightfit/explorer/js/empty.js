// Where nothing known fits: whether that is proved, and the next budgets that reach something, as `ask` says.

async function emptyWords(view, state, figures) {
  const {impossible, searches} = await fetchCells(state)
  const proved = impossible.find(({rom, ram}) => isWithin(state.rom, rom) && isWithin(state.ram, ram))
  const bounds = ["rom", "ram"].filter((name) => state[name] != null).map((name) => ` --${name} ${state[name]}`)
  const said = proved
    ? `<p><b>impossible</b>: no variant of the space fits</p><p>${escape(proved.proof)}</p>`
    : "<p><b>unexplored</b>: nothing known fits, and nothing proves that nothing can; " +
      `<code>${escape(searches + bounds.join(""))}</code> searches</p>`
  return said + nextBudgets(view, state, figures).map(offerWords(view, figures)).join("")
}

// Whether a bound is no larger than one that is ruled out; null is free.
const isWithin = (bound, limit) => limit == null || (bound != null && bound <= limit)

// Along each bound the first listed size that reaches something; else the smallest listed budget that does.
function nextBudgets(view, state, figures) {
  const {columns} = view.page
  const reached = (budget) => fastest(fitting(columns, figures, {...state, ...budget}), figures)
  const first = (budgets) => {
    const budget = budgets.find((each) => reached(each) >= 0)
    return budget ? [{budget, index: reached(budget)}] : []
  }
  const larger = (name) => state[name] == null ? []
    : [...FIXED.bounds[name].filter((size) => size > state[name]), null]
  const along = (name) => larger(name).map((size) => ({rom: state.rom, ram: state.ram, [name]: size}))
  const single = ["rom", "ram"].flatMap((name) => first(along(name)))
  if (single.length) return single
  return first(larger("rom").flatMap((rom) => larger("ram").map((ram) => ({rom, ram}))))
}

const offerWords = ({page: {columns}}, figures) => ({budget, index}) =>
  `<p>${button(budgetName(budget), budget, `Set the budgets to ${budgetName(budget)}`)} reaches ` +
  `${number(figures[index])} cycles with ${bytes(columns.rom[index])} of ROM, ${bytes(columns.ram[index])} ` +
  "of RAM</p>"
