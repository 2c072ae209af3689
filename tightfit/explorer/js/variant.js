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
  const [one, other] = pages
  drawFacts(one, other)
  drawFragments(one, other)
  await drawListing(one, isLatest)
}

function drawFacts(one, other) {
  if (!one) {
    M.facts.text = "<p>Select a variant in another view, or write its id.</p>"
    return
  }
  const name = (page, colour) => `<span style="color: ${colour}">${page.id}</span>`
  const heads = (first) => [first, name(one, FIXED.first), ...(other ? [name(other, FIXED.second)] : [])]
  const beside = (caption, first, mine, theirs) => {
    const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs ?? {})])]
    const row = (each) => [each, mine[each] ?? "", ...(theirs ? [theirs[each] ?? ""] : [])].map(escape)
    const rows = names.map(row)
    const differing = [...rows.keys()].filter((at) => theirs && rows[at][1] !== rows[at][2])
    return table(caption, heads(first), rows, [], differing)
  }
  const facts = ({cost, template, marks, wins}) =>
    ({...cost, template, marks: marks.join(", "), wins: wins.join(", ")})
  const download = WIRE.shelf ? "Download the source" : "Download the drop-in library"
  M.facts.text = `<h2>${escape(one.title)}</h2><p><code>${escape(one.recipe)}</code></p><p>` +
    `<button type="button" data-act="download">${download}</button> ` +
    (other ? button("Drop the second", {other: null}) : button("Keep as the second", {other: one.id})) +
    "</p>" +
    beside("Cost", "", facts(one), other && facts(other)) + beside("Knobs", "knob", one.knobs, other?.knobs) +
    beside("Provenance", "", one.provenance, other?.provenance)
}

const FRAGMENT_HIGH = 16

function drawFragments(one, other) {
  const pages = [one, other]
  const names = [...new Set(pages.flatMap((page) => page?.fragments.name ?? []))]
  const column = (page, kind) => names.map((name) => {
    const at = page?.fragments.name.indexOf(name) ?? -1
    return at < 0 ? 0 : page.fragments[kind][at]
  })
  M.fragment_names.factors = names.toReversed()
  const height = Math.max(FIXED.bars_high, 60 + names.length * FRAGMENT_HIGH)
  for (const figure of [M.fragment_rom, M.fragment_cycles]) figure.height = height
  M.fragments.data = {name: names, rom: column(one, "rom"), rom_other: column(other, "rom"),
    cycles: column(one, "cycles"), cycles_other: column(other, "cycles")}
}

async function drawListing(one, isLatest) {
  if (!one) {
    M.listing.text = ""
    return
  }
  M.listing.text = "<p>The listing is measured ...</p>"
  let text
  try {
    text = listingText(await listingPage(one.id))
  } catch (error) {
    text = `<p class="alert">${escape(error.message)}</p>`
  }
  if (isLatest()) M.listing.text = text
}

function listingText({lines, source, note}) {
  const bare = `<pre>${escape(source ?? "Its template has changed since it was measured.")}</pre>`
  if (!lines) return `<p class="alert">No cycles a line: ${escape(note)}</p>${bare}`
  const most = Math.log(lines.reduce((found, [, , cycles]) => Math.max(found, cycles), 2))
  const shade = (cycles) => FIXED.shades[Math.round((FIXED.shades.length - 1) * Math.log(cycles) / most)]
  const heat = (cycles) => cycles ? shade(cycles) : "transparent"
  const row = ([text, size, cycles]) => `<tr><td class="n">${size || ""}</td>` +
    `<td class="n">${cycles ? number(cycles) : ""}</td>` +
    `<td class="heat" style="background: ${heat(cycles)}"></td><td><code>${escape(text)}</code></td></tr>`
  const heads = ["bytes", "cycles", "", "source"].map((head) => `<th scope="col">${head}</th>`)
  return '<table class="listing"><caption>Bytes, and cycles of one call of every entry; dark is much' +
    `</caption><thead><tr>${heads.join("")}</tr></thead><tbody>${lines.map(row).join("")}</tbody></table>`
}

async function download() {
  const id = M.which.value
  const [name, content] = WIRE.shelf ? await sourceOf(id) : await libraryOf(id)
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([content]))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

async function sourceOf(id) {
  const {file, source, lines} = await listingPage(id)
  return [file, source ?? lines.map(([text]) => text).join("\n") + "\n"]
}

async function libraryOf(id) {
  const {file, base64, note} = await ask("library", id)
  if (note) notice([note])
  return [file, Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))]
}
