// What is looked at. The address carries it, so that a view can be sent to somebody else.
const VIEWS = ["tradeoff", "area", "lengths", "portfolio", "variant"]
const BLOCK = "block"
const NAMES = ["target", "part", "primitive", "operation", "length", "constant", "hide", "rom", "ram", "view",
  "cell", "variant", "other"]

const isHidden = (state, what) => state.hide.split(",").includes(what)

const keyOf = (state) => [state.target, state.part, state.primitive, state.operation].join("/")

function readAddress() {
  const found = new URLSearchParams(location.hash.slice(1))
  return Object.fromEntries(NAMES.filter((name) => found.has(name)).map((name) => [name, found.get(name)]))
}

function writeAddress(state) {
  const given = NAMES.filter((name) => ![null, undefined, "", false].includes(state[name]))
  const text = new URLSearchParams(given.map((name) => [name, state[name] === true ? "1" : state[name]]))
  const address = `#${text}`
  if (address !== location.hash) history.replaceState(null, "", address)
}

// The nearest state that can be shown, and a note on everything that was asked for and is not there.
function settle(wanted, catalogue) {
  const notes = []
  const pick = (what, value, known) => {
    if (known.includes(value)) return value
    if (value) notes.push(`Nothing is known of ${what} "${value}"; it may have been renamed. ` +
      `Shown: ${known[0]}`)
    return known[0]
  }
  const bound = (what, value) => {
    if (value == null || value === "") return null
    const size = Number(value)
    if (Number.isInteger(size) && size > 0) return size
    notes.push(`${what} ${value} is no number of bytes; it is left free.`)
    return null
  }
  const hidden = (value) => {
    const names = (value ?? "").split(",").filter((name) => name)
    for (const name of names.filter((one) => !FIXED.beside.includes(one)))
      notes.push(`There is nothing to hide that is called "${name}".`)
    return FIXED.beside.filter((one) => names.includes(one)).join(",")
  }
  const target = pick("target", wanted.target, [...new Set(catalogue.places.map((one) => one.target))])
  const places = catalogue.places.filter((one) => one.target === target)
  const part = pick("part", wanted.part, places.map((one) => one.part))
  const {primitives} = places.find((one) => one.part === part)
  const primitive = pick("primitive", wanted.primitive, Object.keys(primitives))
  const operation = pick("operation", wanted.operation, primitives[primitive])
  const state = {
    target, part, primitive, operation,
    length: pick("message length", wanted.length, [BLOCK, ...catalogue.lengths]),
    constant: ["1", true].includes(wanted.constant),
    hide: hidden(wanted.hide),
    rom: bound("ROM", wanted.rom),
    ram: bound("RAM", wanted.ram),
    view: pick("view", wanted.view, VIEWS),
    cell: wanted.cell || null,
    variant: wanted.variant || null,
    other: wanted.other || null,
  }
  return [state, notes]
}
