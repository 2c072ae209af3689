// The page itself: the state is settled, written into the address and the widgets, and drawn.
const view = {page: null, lengths: null, cells: null, drawn: null, named: null, areas: null, best: null}
const variants = new Map(), listings = new Map()
let catalogue = null, state = {}, turns = 0
let stale = false // whether the store was written to since it was read

const DRAW = {
  best: drawBest,
  tradeoff: () => {},
  primitives: drawPrimitives,
  area: drawArea,
  lengths: drawLengths,
  portfolio: drawPortfolio,
  variant: drawVariant,
}

async function kept(pages, what, key) {
  if (!pages.has(key)) pages.set(key, ask(what, key))
  try {
    return await pages.get(key)
  } catch (error) {
    pages.delete(key)
    throw error
  }
}

const variantPage = (id) => kept(variants, "variant", id)
const listingPage = (id) => kept(listings, "listing", id)

// The figures of the subject that is looked at, all from one state of the store.
async function fetchPages(key, length) {
  const page = view.page?.subject === key ? view.page : await ask("subject", key)
  if (length === BLOCK) return {page, lengths: null}
  const lengths = view.lengths?.subject === key ? view.lengths : await ask("lengths", key)
  if (lengths.version === page.version) return {page, lengths}
  return {page: await ask("subject", key), lengths: await ask("lengths", key)}
}

// The cells of the portfolio, where a view shows them.
async function fetchCells(now) {
  const key = cellsKeyOf(now)
  if (view.cells?.key !== key) view.cells = await ask("cells", key)
  return view.cells
}

async function show(change, from = state) {
  const turn = ++turns
  const isLatest = () => turn === turns
  const [settled, notes] = settle({...from, ...change}, catalogue)
  const isPlace = from === state && PLACES.some((name) => settled[name] !== state[name])
  state = settled
  notes.push(...refusals.values())
  writeAddress(state, isPlace)
  showWidgets(state, catalogue)
  try {
    await mount(VIEWS.indexOf(state.view))
    if (!isLatest()) return
    if (state.view !== "best") {
      const pages = await fetchPages(keyOf(state), state.length)
      if (!isLatest()) return
      Object.assign(view, pages)
      drawTradeoff(view, state)
    }
    await DRAW[state.view](state, isLatest, notes)
  } catch (error) {
    notes.push(error.message)
  }
  if (!isLatest()) return
  notice(notes)
  document.documentElement.dataset.shown = turn // all of the state is drawn
}

function notice(lines) {
  const again = '<button type="button" data-act="again">Read it again</button>'
  const more = stale ? `<p class="alert">The store was written to since. ${again}</p>` : ""
  M.notice.text = lines.map((line) => `<p class="alert">${escape(line)}</p>`).join("") + more
}

// Everything anew, from what the store holds now.
async function again() {
  stale = false
  Object.assign(view, {page: null, lengths: null, cells: null, areas: null, best: null})
  variants.clear()
  listings.clear()
  await begin()
}

async function begin() {
  catalogue = await ask("catalogue")
  if (catalogue.places.length) await show(readAddress(), {})
  else notice([catalogue.nothing])
  document.documentElement.dataset.ready = "yes"
}

listenAll()
makeAccessible()
begin().catch((error) => notice([error.message]))
