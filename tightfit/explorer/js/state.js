// What is looked at. The address carries it, so that a view can be sent to somebody else.
const VIEWS = ["best", "tradeoff", "primitives", "area", "lengths", "portfolio", "variant"]
const BLOCK = "block"
const NAMES = ["target", "part", "primitive", "operation", "length", "only", "hide", "rom", "ram", "view",
  "axes", "needs", "cell", "variant", "other"]
// What is another place, to which the browser's Back leads; the rest is another look at the same.
const PLACES = ["target", "part", "primitive", "operation", "length", "only", "view", "cell", "variant"]

const isHidden = (state, what) => state.hide.split(",").includes(what)

const keyOf = (state) => [state.target, state.part, state.primitive, state.operation].join("/")

const cellsKeyOf = (state) => `${keyOf(state)}?${state.only}`

// Conditions as a number, as `met` in columns has them.
const maskOf = (names) => FIXED.conditions.reduce(
  (mask, {name}, bit) => names.includes(name) ? mask | 1 << bit : mask, 0)

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1))
  return Object.fromEntries(NAMES.filter((name) => given.has(name)).map((name) => [name, given.get(name)]))
}

function writeAddress(state, isPlace) {
  const given = NAMES.filter((name) => ![null, undefined, ""].includes(state[name]))
  const address = `#${new URLSearchParams(given.map((name) => [name, state[name]]))}`
  if (address === location.hash) return
  if (isPlace) history.pushState(null, "", address)
  else history.replaceState(null, "", address)
}

const namesIn = (text) => (text ?? "").split(",").filter((name) => name)

// Conditions as they are asked on a place: one that tells nothing apart there holds, or the one holds in whose
// place it stands.
function conditionsOn(text, {conditions: offered}) {
  const condition = (name) => FIXED.conditions.find((each) => each.name === name)
  const known = namesIn(text).filter(condition)
  const instead = known.filter((name) => offered.includes(name)).map((name) => condition(name).instead_of)
  const meant = known.map((name) => offered.includes(name) ? name : condition(name).instead_of)
  return offered.filter((name) => meant.includes(name) && !instead.includes(name))
}

const renamed = (what, value, shown) =>
  `Nothing is known of ${what} "${value}"; it may have been renamed. Shown: ${shown}`

const notFilled = (what, shown, primitive, {target, part}) =>
  `Nothing is known of ${what} yet: \`tightfit fill ${primitive} --target ${target} --part ${part}\` ` +
  `searches and measures. Shown: ${shown}`

const firstPrimitive = (place) => Object.keys(place.primitives)[0]

// The part that can be shown; where another one is asked for, `notes` say which is shown instead, and why.
function settlePlace(wanted, {places, unfilled}, notes) {
  const all = [...places, ...unfilled]
  const has = (place) => place.parts.some((own) => own.part === wanted.part)
  const target = wanted.target || all.find(has)?.target || places[0].target
  const pick = (from) => wanted.part ? placeOf({target, part: wanted.part}, from) : firstPlace(target, from)
  if (pick(places)) return pick(places)
  const shown = firstPlace(target, places) ?? firstPlace(places[0].target, places)
  const empty = pick(unfilled)
  if (empty)
    notes.push(notFilled(empty.label, shown.label, wanted.primitive || firstPrimitive(shown), empty))
  else if (all.some((place) => place.target === target))
    notes.push(`There is no part "${wanted.part}" of ${target}: \`tightfit list parts\` lists them. ` +
      `Shown: ${shown.label}`)
  else notes.push(renamed("target", target, shown.label))
  return shown
}

// The primitive that can be shown; one that is known of other parts only can be filled for this one too.
function settlePrimitive(wanted, place, {places}, notes) {
  const first = firstPrimitive(place)
  if (!wanted || wanted in place.primitives) return wanted || first
  const isKnown = places.some((each) => wanted in each.primitives)
  notes.push(isKnown ? notFilled(`${wanted} on ${place.label}`, first, wanted, place)
    : renamed("primitive", wanted, first))
  return first
}

// The nearest state that can be shown, and a note on everything that was asked for and is not there.
function settle(wanted, catalogue) {
  const notes = []
  const pick = (what, value, known) => {
    if (known.includes(value)) return value
    if (value) notes.push(renamed(what, value, known[0]))
    return known[0]
  }
  const bound = (what, value) => {
    if (value == null || value === "") return null
    try {
      return parseSize(value)
    } catch (error) {
      notes.push(`${what}: ${error.message}. It is left free.`)
      return null
    }
  }
  const hidden = (value) => {
    const names = (value ?? "").split(",").filter((name) => name)
    for (const name of names.filter((each) => !FIXED.beside.includes(each)))
      notes.push(`There is nothing to hide that is called "${name}".`)
    return FIXED.beside.filter((each) => names.includes(each)).join(",")
  }
  const conditions = (value, {target, conditions: offered}) => {
    for (const name of namesIn(value).filter((each) => !FIXED.conditions.some((known) => known.name === each)))
      notes.push(`There is no condition "${name}" on ${target}: ${offered.join(", ")}.`)
    return conditionsOn(value, {conditions: offered}).join(",")
  }
  const place = settlePlace(wanted, catalogue, notes)
  const primitive = settlePrimitive(wanted.primitive, place, catalogue, notes)
  const operation = pick("operation", wanted.operation, place.primitives[primitive])
  const state = {
    target: place.target, part: place.part, primitive, operation,
    length: pick("message length", wanted.length, [BLOCK, ...catalogue.lengths]),
    only: conditions(wanted.only, place),
    hide: hidden(wanted.hide),
    rom: bound("ROM", wanted.rom),
    ram: bound("RAM", wanted.ram),
    view: pick("view", wanted.view || (wanted.primitive ? "tradeoff" : ""), VIEWS),
    needs: (wanted.needs ?? "").split(",").filter((name) => name in place.primitives).join(","),
    axes: wanted.axes === "all" ? "all" : null,
    cell: wanted.cell || null,
    variant: wanted.variant || null,
    other: wanted.other || null,
  }
  state.mask = maskOf(state.only.split(","))
  return [state, notes]
}
