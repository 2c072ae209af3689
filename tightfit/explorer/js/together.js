// Several needs under one budget: a variant of each, of least time together; as `ask --need` answers.
const MOST_STEPS = 4e6

// Of each need the choices that fit, those of least time first, with what the needs behind take at least.
function choicesOf(place, series, now) {
  return series.map((each) => {
    const {columns} = each
    const indices = fittingOn(place, each, columns.cycles, now)
    return indices.map((at) => ({
      id: columns.id[at], about: each.about, rom: sized(columns, "rom", at, now.mask), static: columns.static[at],
      work: sized(columns, "ram", at, now.mask) - columns.static[at], time: columns.cycles[at],
    })).sort((a, b) => a.time - b.time || a.rom - b.rom)
  })
}

function leastBehind(choices) {
  const least = [{rom: 0, static: 0, work: 0, time: 0}]
  for (const own of choices.toReversed()) {
    const min = (name) => Math.min(...own.map((choice) => choice[name]))
    const {rom, static: fixed, work, time} = least[0]
    least.unshift({rom: rom + min("rom"), static: fixed + min("static"), work: Math.max(work, min("work")),
      time: time + min("time")})
  }
  return least
}

// The split of least time, then ROM, then RAM; null where nothing fits, undefined where there are too many.
function split(choices, bounds) {
  if (choices.some((own) => !own.length)) return null
  const least = leastBehind(choices)
  let best = null, left = MOST_STEPS
  const isWorse = (time, rom, ram) => best && (time - best.time || rom - best.rom || ram - best.ram) >= 0
  const look = (at, taken, rom, fixed, work, time) => {
    if (--left < 0) return
    const behind = least[at]
    const size = rom + behind.rom, ram = fixed + behind.static + Math.max(work, behind.work)
    if (size > bounds.rom || ram > bounds.ram || isWorse(time + behind.time, size, ram)) return
    if (at === choices.length) {
      best = {taken, rom, ram: fixed + work, time}
      return
    }
    for (const own of choices[at])
      look(at + 1, [...taken, own], rom + own.rom, fixed + own.static, Math.max(work, own.work), time + own.time)
  }
  look(0, [], 0, 0, 0, 0)
  return left < 0 ? undefined : best
}

function togetherText(now) {
  const place = placeOf(now, catalogue.places), names = now.needs.split(",").filter((name) => name)
  if (names.length < 2) return "<h2>Several together</h2><p>Tick what one program needs: the budgets are then shared.</p>"
  const series = seriesOn(place).filter(({primitive}) => names.includes(primitive))
  const bound = (name) => Math.min(now[name] ?? Infinity, place.memory?.[name] ?? Infinity)
  const found = split(choicesOf(place, series, now), {rom: bound("rom"), ram: bound("ram")})
  const head = `<h2>Together within ${bytes(now.rom)} ROM, ${bytes(now.ram)} RAM</h2>`
  if (found === undefined) return `${head}<p>Too many combinations for a browser: <code>${escape(command(series, now))}</code></p>`
  if (found === null) return `${head}<p>Nothing known fits together.</p>`
  const row = ({id, about, rom, static: fixed, work, time}) =>
    [escape(about), openVariant(id), number(rom), number(fixed + work), number(time)]
  const total = ["together", "", number(found.rom), number(found.ram), number(found.time)]
  return head + table("A variant of each, of least time together", ["need", "variant", "ROM", "RAM", "cycles"],
    [...found.taken.map(row), total], [2, 3, 4], [found.taken.length]) +
    "<p>One routine runs at a time: static data adds up, block and stack are those of the largest. " +
    `A block of each counts in the time; <code>${escape(command(series, now))}</code> takes weights too.</p>`
}

function command(series, now) {
  const needs = series.map(({primitive, operation}) => ` --need ${primitive}:${operation}`).join("")
  const bounds = ["rom", "ram"].filter((name) => now[name] != null).map((name) => ` --${name} ${now[name]}`)
  const only = now.only.split(",").filter((name) => name).map((name) => ` --${name}`)
  return `tightfit ask${needs} --target ${now.target} --part ${now.part}${bounds.join("")}${only.join("")}`
}
