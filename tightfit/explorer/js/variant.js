// One variant, beside a second one: knobs, cost, fragments, listing, and the download.
async function drawVariant(now, isLatest, notes) {
  quietly(() => {
    M.which.value = now.variant ?? view.named ?? ""
    M.other.value = now.other ?? ""
  })
  const pages = []
  for (const id of [M.which.value, M.other.value]) {
    try {
      pages.push(id ? await variantPage(id) : null)
    } catch (error) {
      notes.push(error.message)
      pages.push(null)
    }
  }
  if (!isLatest()) return
  const [first, second] = pages
  drawFacts(first, second)
  drawFragments(first, second)
  await drawListing(first, isLatest)
}

function drawFacts(first, second) {
  if (!first) {
    M.facts.text = "<p>Select a variant in another view, or write its id.</p>"
    return
  }
  const place = placeOfVariant(first, state, catalogue.places)
  const name = (page, colour) => `<span style="color: ${colour}">${page.id}</span>`
  const heads = (head) => [head, name(first, FIXED.first), ...(second ? [name(second, FIXED.second)] : [])]
  const beside = (caption, head, mine, theirs) => {
    const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs ?? {})])]
    const row = (each) => [each, mine[each] ?? "", ...(theirs ? [theirs[each] ?? ""] : [])].map(escape)
    const rows = names.map(row)
    const differing = [...rows.keys()].filter((at) => theirs && rows[at][1] !== rows[at][2])
    return table(caption, heads(head), rows, [], differing)
  }
  const facts = ({cost, template, marks, wins, simulated}) =>
    ({...cost, template, marks: marks.join(", "), [`wins on ${simulated}`]: wins.join(", ")})
  const download = WIRE.written ? "Download the source" : "Download the drop-in library"
  M.facts.text = `<h2>${escape(first.about)} on ${escape(place.label)}</h2>${standsFor(first, place)}` +
    `<p><code>${escape(first.recipe)}</code></p><p>` +
    `<button type="button" data-act="download">${download}</button> ` +
    (second ? button("Drop the second", {other: null}) : button("Keep as the second", {other: first.id})) +
    "</p>" +
    beside("Cost", "", facts(first), second && facts(second)) +
    beside("Knobs", "knob", first.knobs, second?.knobs) +
    beside("Provenance", "", first.provenance, second?.provenance)
}

// The parts that the figures of a variant stand for, and those of the class that it does not fit.
function standsFor({rom, ram}, place) {
  const fits = ({memory}) => fitsMemory(rom, ram, memory)
  const listed = (parts) => parts.map((own) => escape(own.part)).join(", ")
  const others = place.parts.filter((own) => own.part !== place.simulated)
  const same = others.filter(fits), small = others.filter((own) => !fits(own))
  const alert = fits(place) ? "" : `<p class="alert">This variant does not fit ${escape(place.part)}, ` +
    `which has ${bytes(place.memory.rom)} of ROM and ${bytes(place.memory.ram)} of RAM.</p>`
  return `${alert}<p>Simulated on ${escape(place.simulated)}` +
    `${same.length ? `; the figures stand for ${listed(same)} too` : ""}` +
    `${small.length ? `; it does not fit ${listed(small)}` : ""}.</p>`
}

const FRAGMENT_HIGH = 16

function drawFragments(first, second) {
  const pages = [first, second]
  const names = [...new Set(pages.flatMap((page) => page?.fragments.name ?? []))]
  const column = (page, kind) => names.map((name) => {
    const at = page?.fragments.name.indexOf(name) ?? -1
    return at < 0 ? 0 : page.fragments[kind][at]
  })
  M.fragment_names.factors = names.toReversed()
  const height = Math.max(FIXED.bars_high, 60 + names.length * FRAGMENT_HIGH)
  for (const figure of [M.fragment_rom, M.fragment_cycles]) figure.height = height
  M.fragments.data = {name: names, rom: column(first, "rom"), rom_other: column(second, "rom"),
    cycles: column(first, "cycles"), cycles_other: column(second, "cycles")}
}

async function drawListing(variant, isLatest) {
  if (!variant) {
    M.listing.text = ""
    return
  }
  M.listing.text = "<p>The listing is measured ...</p>"
  let text
  try {
    text = listingText(await listingPage(variant.id))
  } catch (error) {
    text = `<p class="alert">${escape(error.message)}</p>`
  }
  if (isLatest()) M.listing.text = text
}

function listingText({lines, source, note}) {
  const bare = `<pre>${escape(source ?? "Its template has changed since it was measured.")}</pre>`
  if (!lines) return `<p class="alert">No cycles a line: ${escape(note)}</p>${bare}`
  const most = Math.log(lines.reduce((most, [, , cycles]) => Math.max(most, cycles), 2))
  const shade = (cycles) => FIXED.shades[Math.round((FIXED.shades.length - 1) * Math.log(cycles) / most)]
  const heat = (cycles) => cycles ? shade(cycles) : "transparent"
  const row = ([text, size, cycles]) => `<tr><td class="n">${size || ""}</td>` +
    `<td class="n">${cycles ? number(cycles) : ""}</td>` +
    `<td class="heat" style="background: ${heat(cycles)}"></td><td><code>${escape(text)}</code></td></tr>`
  const heads = ["bytes", "cycles", "", "source"].map((head) => `<th scope="col">${head}</th>`)
  return '<table class="listing"><caption>Bytes, and cycles of one call of every entry; the stronger the colour, the more' +
    `</caption><thead><tr>${heads.join("")}</tr></thead><tbody>${lines.map(row).join("")}</tbody></table>`
}

async function download() {
  const id = M.which.value
  const [name, content] = WIRE.written ? await sourceOf(id) : await libraryOf(id)
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([content]))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

async function sourceOf(id) {
  const {file, source} = await listingPage(id)
  return [file, source]
}

async function libraryOf(id) {
  const {part} = placeOfVariant(await variantPage(id), state, catalogue.places)
  const {file, base64, note} = await ask("library", `${part}/${id}`)
  if (note) notice([note])
  return [file, Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))]
}
