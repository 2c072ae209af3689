// Parts of a core class share every figure; what tells them apart is the ROM and the RAM that they have.

// A part with its class, label and memory, which is null for the simulated part: everything ran on that.
function placeOf({target, part}, places) {
  const place = places.find((each) => each.target === target && each.parts.some((own) => own.part === part))
  return place && {...place, ...place.parts.find((own) => own.part === part)}
}

const firstPlace = (target, places) => {
  const place = places.find((each) => each.target === target)
  return place && placeOf({target, part: place.simulated}, places)
}

// The part that a variant is looked at for: the chosen one if it is of the variant's class.
function placeOfVariant({target, simulated}, state, places) {
  const chosen = placeOf(state, places)
  return chosen.target === target && chosen.simulated === simulated ? chosen
    : placeOf({target, part: simulated}, places)
}

const fitsMemory = (rom, ram, memory) => memory == null || (rom <= memory.rom && ram <= memory.ram)

// Indices of the rows of columns that keep within the memory of a part.
const rowsWithin = ({rom, ram}, memory) =>
  [...rom.keys()].filter((index) => fitsMemory(rom[index], ram[index], memory))

// Columns with some of their rows; columns may be nested in columns.
const rowsOf = (columns, rows) => Object.fromEntries(Object.entries(columns).map(([name, column]) =>
  [name, Array.isArray(column) ? rows.map((index) => column[index]) : rowsOf(column, rows)]))

// A page with what is different in another; fields that are pages themselves are merged in the same way.
const isPage = (value) => value !== null && typeof value === "object" && !Array.isArray(value)

const merged = (page, changes) => ({...page, ...Object.fromEntries(Object.entries(changes).map(
  ([name, value]) => [name, isPage(value) && isPage(page[name]) ? merged(page[name], value) : value]))})

// How a file makes the page of a part from that of its class, as a server does in Python.
const OF_CLASS = {
  subject: (page, {key, place}) => {
    const {columns, rivals} = page, [, , primitive, operation] = key.split("/")
    return {
      ...page,
      subject: key,
      title: `${primitive} ${operation} on ${place.label}`,
      columns: rowsOf(columns, rowsWithin(columns, place.memory)),
      rivals: rowsOf(rivals, rowsWithin(rivals, place.memory)),
    }
  },
  lengths: (page, {key, place, shelf, classKey}) => {
    const rows = rowsWithin(shelf.subject[classKey].columns, place.memory)
    return {...page, subject: key, cycles: rowsOf(page.cycles, rows)}
  },
  cells: (page, {key, shelf}) => ({...merged(page, shelf.differences[key] ?? {}), key}),
}

// The page of a part that was not simulated, from a shelf with those of its class; undefined for any other.
function pageOfPart(shelf, what, key) {
  const [target, part, ...operation] = key.split("/")
  const place = placeOf({target, part}, shelf.catalogue[""].places)
  if (!place || !(what in OF_CLASS)) return undefined
  const classKey = [target, place.simulated, ...operation].join("/")
  const page = shelf[what][classKey]
  return page && OF_CLASS[what](page, {key, place, shelf, classKey})
}
