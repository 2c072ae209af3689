// What stands beside the variants: published figures, C alone, external routines.

// Size and figure of everything that may stand there.
function besideAt({page: {published, rivals}}, state) {
  const pairs = (sizes, figures) => sizes.map((size, index) => [size, figures[index]])
  return [...pairs(rivals.rom, rivalFigures(rivals, state)),
    ...(state.length === BLOCK ? pairs(published.rom, published.cycles) : [])]
}

const rivalFigures = (rivals, state) =>
  state.length === BLOCK ? rivals.cycles : rivals.lengths[state.length]

// The routines that tightfit did not generate, as many as are shown: indices, and their figures on the axis.
function rivalsOf({page: {rivals}}, state) {
  const figures = rivalFigures(rivals, state)
  const isShown = (one) => figures[one] > 0 && !isHidden(state, rivals.origin[one])
  const shown = [...rivals.id.keys()].filter(isShown)
  return {shown, figures}
}

// What is not of the space: others' figures by their own rules, and other routines by ours.
function drawBeside(view, state) {
  const {published, rivals} = view.page, {shown, figures} = rivalsOf(view, state)
  const counted = state.length === BLOCK && !isHidden(state, "published")
  M.theirs.data = counted ? {...published, y: published.cycles} : {rom: [], y: [], source: [], counted: []}
  const columns = ["origin", "name", "made", "flags", "rom", "ram"]
  const look = (what) => shown.map((one) => FIXED.rivals[rivals.origin[one]][what])
  M.rivals.data = {
    ...Object.fromEntries(columns.map((name) => [name, shown.map((one) => rivals[name][one])])),
    y: shown.map((one) => figures[one]),
    alpha: shown.map((one) => fits(rivals, one, state) ? LIT : DIMMED),
    marker: look("marker"), color: look("color"),
  }
}

// The signs of what is there beside the variants.
function legend({page}, state) {
  const sign = (text, colour, words) => `<b style="color: ${colour}">${text}</b> ${words}`
  const there = (origin) => page.rivals.origin.includes(origin) && !isHidden(state, origin)
  const cross = M.theirs.data.rom.length ? [sign("\u2715", FIXED.first, "published, their own rules")] : []
  const words = {"C baseline": "C alone", external: "external routine"}
  const others = Object.entries(FIXED.rivals).filter(([origin]) => there(origin))
  return [...cross, ...others.map(([origin, one]) => sign(one.sign, one.color, words[origin]))].join("; ")
}

function rivalTable(view, state) {
  const {rivals} = view.page, {shown, figures} = rivalsOf(view, state)
  const within = shown.filter((one) => fits(rivals, one, state)).toSorted((a, b) => figures[a] - figures[b])
  if (!within.length) return ""
  const called = (one) => `${FIXED.rivals[rivals.origin[one]].sign} ${rivals.name[one]}: ${rivals.made[one]}`
  const row = (one) => [`<span title="${escape(rivals.flags[one])}">${escape(called(one))}</span>`,
    number(rivals.rom[one]), number(rivals.ram[one]), number(figures[one])]
  return table("Not ours, counted as ours", ["routine", "ROM", "RAM", "cycles"], within.map(row), [1, 2, 3])
}
