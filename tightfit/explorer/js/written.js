// The pages of a written explorer, made from its shelves as a server makes them in Python.
const boxName = ({target, simulated}, primitive) => `${target}/${simulated}/${primitive}`

// What is known of an operation, on the class of the part that a key names.
async function opened(key) {
  const [target, part, primitive, operation] = key.split("/")
  const place = placeOf({target, part}, (await tightfit.open("first")).catalogue.places)
  const own = (await tightfit.open(boxName(place, primitive))).operations[operation]
  return {key, place, own, about: `${primitive} ${operation}`}
}

// The box that holds a variant: that of what is looked at, or the one that the index names.
async function boxOf(id) {
  const holds = (box) => id in box.variants
  const {places} = (await tightfit.open("first")).catalogue
  const own = boxName(placeOf(state, places), state.primitive), box = await tightfit.open(own)
  if (holds(box)) return [own, box]
  const [name] = Object.entries(await tightfit.open("variants")).find(([, ids]) => ids.includes(id)) ?? []
  if (!name) throw new Error(`There is no variant ${id} here: of many, only the front and the winners were written.`)
  return [name, await tightfit.open(name)]
}

async function writtenVariant(id) {
  const [, {variants, contexts}] = await boxOf(id)
  return {...variants[id], provenance: contexts[variants[id].provenance]}
}

async function writtenListing(id) {
  const [name] = await boxOf(id), [target, , primitive] = name.split("/")
  const {file, texts, of} = await tightfit.open(`${target}/sources/${primitive}`)
  if (!(id in of)) throw new Error(`The source of ${id} was not written, it wins no cell: \`tightfit show ${id}\` has it.`)
  return {id, file, source: texts[of[id].text], lines: of[id].lines, note: of[id].note}
}

const WRITTEN = {
  catalogue: async () => (await tightfit.open("first")).catalogue,
  headline: async () => (await tightfit.open("first")).headline,
  areas: () => tightfit.open("areas"),
  subject: async (key) => subjectWithin(await opened(key)),
  lengths: async (key) => lengthsWithin(await opened(key)),
  cells: async (key) => {
    const [subject, only] = key.split("?")
    const {places} = (await tightfit.open("first")).catalogue, found = await opened(subject)
    const box = await tightfit.open(boxName(placeOf(found.place, places), subject.split("/")[2]))
    return {...cellsWithin(found, only.split(",").filter((name) => name), box.variants), key}
  },
  variant: writtenVariant,
  listing: writtenListing,
}
