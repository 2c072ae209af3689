// The widgets: they show the state, and what is done to them changes it.
const BOUNDS = {rom: FIXED.rom_bits, ram: FIXED.ram_bits}
const refusals = new Map() // what is wrong with the text in a field, by its bound
let quiet = false // while the state is written into the widgets

function quietly(act) {
  quiet = true
  act()
  quiet = false
}

// What takes long to lay out waits until nothing moves any more.
const REST_MILLISECONDS = 80
const resting = new Map()
let rest = null

function atRest(what, act) {
  resting.set(what, act)
  clearTimeout(rest)
  rest = setTimeout(() => {
    const acts = [...resting.values()]
    resting.clear()
    for (const each of acts) each()
  }, REST_MILLISECONDS)
}

// Text that changes while a budget moves: it is seen at once, and its model, with which Bokeh lays the whole
// page out anew, follows at rest.
function put(model, html) {
  const place = Bokeh.index.find_one(model)?.markup_el
  if (place) place.innerHTML = html
  atRest(model, () => { model.text = html })
}

// Put the layout of a view into its tab, where it is not yet, and wait until it is there.
async function mount(index) {
  const room = M.tabs.tabs[index].child, layout = LAYOUTS[index]
  if (!room.children.includes(layout)) room.children = [layout]
  while (!Bokeh.index.find_one(layout)) await new Promise(requestAnimationFrame)
}

const labelsOf = (place) => place.parts.map((own) => own.label)
const sizeAt = (power, bits) => power >= bits[1] ? null : 2 ** Math.round(power)
const powerOf = (size, bits) =>
  size == null ? bits[1] : Math.min(bits[1] - 1, Math.max(bits[0], Math.round(Math.log2(size))))

function showWidgets(state, catalogue) {
  const place = placeOf(state, catalogue.places)
  const classes = catalogue.places.map((each) => [`${each.target}: ${each.about}`, labelsOf(each)])
  const words = (length) => length === "long" ? "a byte, long message" : `a message of ${length} B`
  const lengths = catalogue.lengths.map((length) => [length, words(length)])
  quietly(() => {
    M.place.setv({options: Object.fromEntries(classes), value: place.label})
    M.primitive.setv({options: Object.keys(place.primitives), value: state.primitive})
    M.operation.setv({options: place.primitives[state.primitive], value: state.operation})
    M.length.setv({options: [[BLOCK, "a block (ranked)"], ...lengths], value: state.length})
    const offered = place.conditions.map((name) => FIXED.conditions.find((each) => each.name === name))
    M.only.setv({labels: offered.map(({title}) => title),
      active: [...offered.keys()].filter((at) => state.only.split(",").includes(offered[at].name))})
    M.beside.active = [...FIXED.beside.keys()].filter((at) => !isHidden(state, FIXED.beside[at]))
    for (const [name, bits] of Object.entries(BOUNDS)) {
      if (sizeAt(M[name].value, bits) !== state[name]) M[name].value = powerOf(state[name], bits)
      if (!refusals.has(name)) M[`${name}_bytes`].value = state[name] == null ? "" : String(state[name])
      M[name].title = `${name.toUpperCase()} at most ${bytes(state[name])}`
    }
    M.tabs.active = VIEWS.indexOf(state.view)
    markTab()
  })
  sayBounds(state)
}

function listen(model, property, act) {
  model.properties[property].change.connect(() => {
    if (!quiet && catalogue?.places.length) act(model[property])
  })
}

function listenAll() {
  listen(M.place, "value", (value) => {
    const {target, parts} = catalogue.places.find((place) => labelsOf(place).includes(value))
    show({target, part: parts.find((own) => own.label === value).part, cell: null})
  })
  listen(M.primitive, "value", (primitive) => show({primitive, cell: null}))
  listen(M.operation, "value", (operation) => show({operation, cell: null}))
  listen(M.length, "value", (length) => show({length}))
  listen(M.only, "active", (active) =>
    show({only: active.map((at) => placeOf(state, catalogue.places).conditions[at]).join(",")}))
  listen(M.beside, "active", (active) =>
    show({hide: FIXED.beside.filter((_, at) => !active.includes(at)).join(",")}))
  for (const name of Object.keys(BOUNDS)) listenBound(name)
  listen(M.tabs, "active", (index) => show({view: VIEWS[index]}))
  listen(M.which, "value", (id) => show({variant: id.trim()}))
  listen(M.other, "value", (id) => show({other: id.trim()}))
  const areas = FIXED.targets.map((target) => M[`area_points_${target}`])
  for (const source of [M.points, ...areas]) openSelected(source)
  document.addEventListener("click", (event) => pressed(event.composedPath()))
  for (const range of [M.tradeoff_xs, M.tradeoff_ys]) listenZoom(range)
  addEventListener("hashchange", () => show(readAddress(), {}))
}

// A slider is read as often as the screen is drawn, not as often as the mouse moves.
function listenBound(name) {
  let power = null
  listen(M[name], "value", (value) => {
    refusals.delete(name)
    if (power == null) requestAnimationFrame(() => {
      show({[name]: sizeAt(power, BOUNDS[name])})
      power = null
    })
    power = value
  })
  listen(M[`${name}_bytes`], "value", (text) => {
    try {
      refusals.delete(name)
      show({[name]: text.trim() ? parseSize(text) : null})
    } catch (error) {
      refusals.set(name, `${name.toUpperCase()}: ${error.message}`)
      show({})
    }
  })
}

// Closer up, what lay under another dot may lie beside it.
function listenZoom(range) {
  let waiting = false
  range.properties.end.change.connect(() => {
    if (quiet || waiting || !view.drawn) return
    waiting = true
    requestAnimationFrame(() => {
      waiting = false
      drawTradeoff(view, state)
    })
  })
}

function openSelected(source) {
  source.selected.properties.indices.change.connect(() => {
    const [index] = source.selected.indices
    if (index == null) return
    source.selected.indices = []
    show({variant: source.data.id[index], view: "variant"})
  })
}

const ACTS = {download, again}

function pressed(path) {
  const pressed = path.find((node) => node.dataset?.show || node.dataset?.act || node.dataset?.line || node.dataset?.need)
  const {show: change, act, line, need} = pressed?.dataset ?? {}
  if (change) {
    refusals.clear()
    show(JSON.parse(change))
  }
  if (line) tickLine(line, pressed.checked)
  if (need) tickNeed(need, pressed.checked)
  if (act) ACTS[act]().catch((error) => notice([error.message]))
}

// What Bokeh leaves without a name for screen readers, and out of the keyboard's reach.
const partsOf = (model, selector) =>
  [...Bokeh.index.find_one(model)?.el.shadowRoot.querySelectorAll(selector) ?? []]

function makeAccessible() {
  for (const name of Object.keys(BOUNDS))
    for (const handle of partsOf(M[name], ".noUi-handle")) {
      handle.setAttribute("aria-label", `${name.toUpperCase()} at most, as a power of two`)
      // the slider says the power each time it moves
      new MutationObserver(() => sayBounds(state)).observe(handle, {attributeFilter: ["aria-valuetext"]})
    }
  for (const header of partsOf(M.tabs, ".bk-header")) {
    header.setAttribute("role", "tablist")
    header.parentNode.prepend(header) // before what it opens, also for the keyboard
  }
  for (const tab of partsOf(M.tabs, ".bk-tab")) {
    tab.setAttribute("role", "tab")
    tab.tabIndex = 0
    tab.addEventListener("keydown", (event) => { if (["Enter", " "].includes(event.key)) tab.click() })
  }
}

// What a screen reader says of a slider: bytes, not the power of two.
function sayBounds(state) {
  for (const name of Object.keys(BOUNDS)) {
    const text = state[name] == null ? "any" : `${state[name]} bytes`
    for (const handle of partsOf(M[name], ".noUi-handle"))
      if (handle.getAttribute("aria-valuetext") !== text) handle.setAttribute("aria-valuetext", text)
  }
}

const markTab = () => partsOf(M.tabs, ".bk-tab").forEach((tab, index) =>
  tab.setAttribute("aria-selected", String(index === M.tabs.active)))
