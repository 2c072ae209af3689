// What was written of a core class, on a part of it with less memory, and under conditions.

function subjectWithin({key, place, own: {subject}, about}) {
  const {columns, rivals} = subject
  return {
    ...subject,
    subject: key,
    title: `${about} on ${place.label}`,
    columns: rowsOf(columns, rowsWithin(columns, place.memory)),
    rivals: rowsOf(rivals, rowsWithin(rivals, place.memory)),
  }
}

function lengthsWithin({key, place, own: {subject, lengths}}) {
  return {...lengths, subject: key, cycles: rowsOf(lengths.cycles, rowsWithin(subject.columns, place.memory))}
}

// The cells as they were written, or what is left of them; `variants` are the pages of those in the box.
function cellsWithin(found, only, variants) {
  const {cells} = found.own, {memory} = found.place
  if (!only.length && memory == null) return cells
  const asked = {...found, only, variants, mask: maskOf(only), columns: subjectWithin(found).columns}
  const {portfolio} = cells
  const kept = Object.entries(portfolio.cells).map(([name, cell]) => [name, cellWithin(asked, name, cell)])
  const inside = Object.fromEntries(kept.filter(([, cell]) => cell))
  return {
    portfolio: {...portfolio, cells: inside, published: publishedWithin(asked, portfolio.published)},
    curves: curvesOf(portfolio, inside, variants),
    rivals: cells.rivals.filter(({rom, ram, met}) => fitsMemory(rom, ram, memory) && (met & asked.mask) === asked.mask),
    impossible: impossibleWithin(asked),
    searches: cells.searches + only.filter((name) => named(name).searched).map((name) => ` --${name}`).join(""),
  }
}

const named = (name) => FIXED.conditions.find((condition) => condition.name === name)

// A bound within the memory of a part.
const narrowed = (bound, most) => most == null ? bound : Math.min(bound ?? Infinity, most)

// The best within a budget, as `ask` ranks: the first that fits, or the one of least ROM; below 0 where none does.
function bestWithin({columns, mask, place: {memory}}, name, {rom_bound, ram_bound}) {
  const bounds = {rom: narrowed(rom_bound, memory?.rom), ram: narrowed(ram_bound, memory?.ram), mask}
  const lit = fitting(columns, columns.cycles, bounds)
  if (!isLeastRom(name)) return lit[0] ?? -1
  const size = (at, memory) => sized(columns, memory, at, mask)
  const worse = (a, b) => size(a, "rom") - size(b, "rom") || columns.cycles[a] - columns.cycles[b] || size(a, "ram") - size(b, "ram")
  return lit.toSorted(worse)[0] ?? -1
}

const isLeastRom = (name) => name.startsWith("ROM-min")

// A cell; null for one that asks for the cycles of each entry, where its winner is not there.
function cellWithin(asked, name, cell) {
  const {columns, only} = asked
  if (name.includes("<")) return columns.id.includes(cell.variant) && !only.length ? cell : null
  const best = bestWithin(asked, name, cell)
  const under = only.map((each) => `, ${named(each).title.toLowerCase()}`).join("")
  const budget = {...cell, within: cell.within + under, published: []}
  if (best < 0) {
    const proof = impossibleWithin(asked).find(({rom, ram}) => isWithin(cell.rom_bound, rom) && isWithin(cell.ram_bound, ram))?.proof
    const status = proof ? "impossible" : "unexplored"
    return {...budget, symbol: proof ? "x" : "?", status, satiated_by: null, variant: null, rom: null, ram: null,
      proof: proof ?? "not proved", text: proof ? "no variant of the space fits" : "nothing known fits"}
  }
  const id = columns.id[best], satiated = satiatedBy(asked, name, cell, columns.cycles[best])
  if (!only.length && id === cell.variant && satiated === cell.satiated_by) return cell
  const proof = proofOf(asked, name, cell, best)
  const figure = `${asked.variants[id]?.figure ?? number(columns.cycles[best])}${proof ? "" : "*"}`
  return {...budget, symbol: satiated ? "-" : figure, status: satiated ? "satiated" : "fits", satiated_by: satiated,
    variant: id, rom: columns.rom[best], ram: columns.ram[best], proof: proof ?? "best known",
    text: `${figure} cycles, ${bytes(columns.rom[best])} of ROM, ${bytes(columns.ram[best])} of RAM` +
      `${satiated ? `; ${satiated} is as fast` : ""}\nvariant ${id}, ${asked.variants[id]?.recipe ?? ""}\n${proof ?? "best known"}`}
}

// The smallest of the searched budgets within this one that reaches the same cycles; null where none does.
function satiatedBy(asked, name, {rom_bound, ram_bound}, cycles) {
  const {own, only, columns, place: {memory}} = asked
  if (isLeastRom(name)) return null
  const rom = narrowed(rom_bound, memory?.rom), ram = narrowed(ram_bound, memory?.ram)
  const size = (bound) => bound ?? Infinity
  const {cells} = own.cells.portfolio
  const smaller = Object.keys(own.under[only.join(",")]?.cells ?? {}).filter((each) => {
    const cell = cells[each]
    const isSame = cell?.rom_bound === rom && cell?.ram_bound === ram
    return cell && !isLeastRom(each) && !isSame && size(cell.rom_bound) <= size(rom) && size(cell.ram_bound) <= size(ram)
  }).sort((a, b) => size(cells[a].rom_bound) - size(cells[b].rom_bound) || size(cells[a].ram_bound) - size(cells[b].ram_bound))
  const found = smaller.find((each) => columns.cycles[bestWithin(asked, each, cells[each])] === cycles)
  return found ? [found, ...only].join(" ") : null
}

// What proves that nothing is better: the cell under the conditions, the one under none, or the front.
function proofOf(asked, name, cell, best) {
  const {columns, only, own, place: {memory}} = asked
  const figure = isLeastRom(name) ? (at) => sized(columns, "rom", at, asked.mask) : (at) => columns.cycles[at]
  const isAsGood = (id) => columns.id.includes(id) && figure(columns.id.indexOf(id)) === figure(best)
  const searched = only.filter((each) => named(each).searched), closed = own.under[searched.join(",")]
  const found = [closed?.cells[name], own.under[""].cells[name]].find((each) =>
    each?.proved && (memory == null || !isLeastRom(name)) && isAsGood(each.variant))
  if (found) return found.proof
  const all = {...asked, mask: maskOf(searched)}
  const isBest = figure(bestWithin(all, name, cell)) >= figure(best)
  return isBest ? closed?.front ?? null : null
}

// What is ruled out without conditions is so with them, and what one of them rules out is so under several.
function impossibleWithin({own, only, place: {memory}}) {
  const whole = Object.entries(own.under).filter(([names]) => names.split(",").every((name) => !name || only.includes(name)))
  const free = (bound, most) => most != null && bound != null && bound >= most ? null : bound
  return [...own.cells.impossible, ...whole.flatMap(([, {impossible}]) => impossible)].map((each) =>
    ({...each, rom: free(each.rom, memory?.rom), ram: free(each.ram, memory?.ram)}))
}

// Published figures; ours beside them only where it is left.
function publishedWithin({columns, only}, published) {
  const isLeft = ({variant}) => !only.length && columns.id.includes(variant)
  return published.map((figure) => isLeft(figure) ? figure : {...figure, ours: null, variant: null, beaten: null})
}

// The curves of the winners of the listed budgets, the fastest first.
function curvesOf({rom, ram}, cells, variants) {
  const listed = rom.flatMap((size) => ram.map((work) => `${size}/${work}`))
  const budgets = new Map()
  for (const name of listed.filter((each) => variants[cells[each]?.variant]?.curve)) {
    const id = cells[name].variant
    budgets.set(id, [...budgets.get(id) ?? [], name])
  }
  const curves = [...budgets].map(([id, names]) => {
    const {rom, ram, curve} = variants[id]
    return {variant: id, rom, ram, budgets: names, curve}
  })
  return curves.sort((a, b) => a.curve.slope - b.curve.slope || a.rom - b.rom)
}
