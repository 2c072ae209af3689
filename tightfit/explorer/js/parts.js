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

// The default part of a target; where nothing is known of its class, the first one of which something is.
const defaultPlace = (target, places) => {
  const place = places.find((each) => each.target === target && each.default)
  return place ? placeOf({target, part: place.default}, places) : firstPlace(target, places)
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
