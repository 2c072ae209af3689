// The page itself: widgets change the state, the state is settled, drawn, and written into the address.
const view = {page: null, lengths: null, drawn: null, named: null, areas: null}
const variants = new Map()
let catalogue = null, state = {}, turns = 0

async function variantPage(id) {
  if (!variants.has(id)) variants.set(id, await ask("variant", id))
  return variants.get(id)
}

const DRAW = {
  tradeoff: () => {},
}

async function show(change) {
  const turn = ++turns
  const [settled, notes] = settle({...state, ...change}, catalogue)
  state = settled
  writeAddress(state)
  showWidgets()
  try {
    const key = keyOf(state)
    const page = view.page?.subject === key ? view.page : await ask("subject", key)
    const needed = state.length !== BLOCK
    const lengths = !needed ? null : view.lengths?.subject === key ? view.lengths : await ask("lengths", key)
    if (turn !== turns) return
    Object.assign(view, {page, lengths: lengths ?? view.lengths})
    drawTradeoff(view, state)
    await DRAW[state.view](() => turn === turns)
  } catch (error) {
    notes.push(error.message)
  }
  if (turn === turns && (notes.length || !("rom" in change || "ram" in change))) notice(notes)
}

function notice(lines) {
  M.notice.text = lines.map((line) => `<p class="alert">${escape(line)}</p>`).join("")
}

let quiet = false // while the state is written into the widgets

function showWidgets() {
  quiet = true
  const places = catalogue.places.map((one) => `${one.target} (${one.part})`)
  const place = catalogue.places.find((one) => one.target === state.target && one.part === state.part)
  M.place.setv({options: places, value: `${state.target} (${state.part})`})
  M.primitive.setv({options: Object.keys(place.primitives), value: state.primitive})
  M.operation.setv({options: place.primitives[state.primitive], value: state.operation})
  const lengths = catalogue.lengths.map((one) =>
    [one, one === "long" ? "a byte, long message" : `a message of ${one} B`])
  M.length.setv({options: [[BLOCK, "a block (ranked)"], ...lengths], value: state.length})
  M.constant.active = state.constant ? [0] : []
  for (const [name, bits] of [["rom", FIXED.rom_bits], ["ram", FIXED.ram_bits]]) {
    if (sizeAt(M[name].value, bits) !== state[name])
      M[name].value = state[name] == null ? bits[1] : Math.min(bits[1], Math.max(bits[0], Math.log2(state[name])))
    M[`${name}_bytes`].value = state[name]
    M[name].title = `${name.toUpperCase()} at most ${bytes(state[name])}`
  }
  M.tabs.active = VIEWS.indexOf(state.view)
  quiet = false
}

const sizeAt = (power, bits) => power >= bits[1] ? null : Math.round(2 ** power)

function listen(model, property, act) {
  model.properties[property].change.connect(() => { if (!quiet) act(model[property]) })
}

function listenAll() {
  listen(M.place, "value", (value) => {
    const one = catalogue.places.find(({target, part}) => `${target} (${part})` === value)
    show({target: one.target, part: one.part, cell: null})
  })
  for (const name of ["primitive", "operation"]) listen(M[name], "value", (value) => show({[name]: value, cell: null}))
  listen(M.length, "value", (length) => show({length}))
  listen(M.constant, "active", (active) => show({constant: active.length > 0}))
  for (const [name, bits] of [["rom", FIXED.rom_bits], ["ram", FIXED.ram_bits]]) {
    let next = null
    listen(M[name], "value", (power) => { // as often as the screen is drawn, not as often as the mouse moves
      if (next == null) requestAnimationFrame(() => { const size = sizeAt(next, bits); next = null; show({[name]: size}) })
      next = power
    })
    listen(M[`${name}_bytes`], "value", (size) => show({[name]: size}))
  }
  listen(M.tabs, "active", (index) => show({view: VIEWS[index]}))
  M.points.selected.properties.indices.change.connect(() => {
    const [index] = M.points.selected.indices
    if (index == null) return
    M.points.selected.indices = []
    show({variant: M.points.data.id[index], view: "variant"})
  })
  document.addEventListener("click", (event) => {
    const pressed = event.composedPath().find((one) => one.dataset?.show)
    if (pressed) show(JSON.parse(pressed.dataset.show))
  })
  addEventListener("hashchange", () => show(readAddress()))
}

// What Bokeh leaves without a name for screen readers.
function labelSliders() {
  for (const name of ["rom", "ram"]) {
    const handle = Bokeh.index.find_one(M[name])?.el.shadowRoot.querySelector(".noUi-handle")
    handle?.setAttribute("aria-label", `${name.toUpperCase()} at most, as a power of two`)
  }
}

async function start() {
  catalogue = await ask("catalogue")
  if (!catalogue.places.length) {
    notice([catalogue.nothing])
    return
  }
  listenAll()
  labelSliders()
  await show(readAddress())
  document.documentElement.dataset.ready = "yes"
}

start().catch((error) => notice([error.message]))
