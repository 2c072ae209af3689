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
  const isShown = (index) => figures[index] > 0 && !isHidden(state, rivals.origin[index])
  return {shown: [...rivals.id.keys()].filter(isShown), figures}
}

// What is not of the space: others' figures by their own rules, and other routines by ours.
function drawBeside(view, state) {
  const {published, rivals} = view.page, {shown, figures} = rivalsOf(view, state)
  const counted = state.length === BLOCK && !isHidden(state, "published")
  M.theirs.data = counted ? {...published, y: published.cycles} : {rom: [], y: [], source: [], counted: []}
  const pick = (column) => shown.map((index) => column[index])
  const look = (what) => shown.map((index) => FIXED.rivals[rivals.origin[index]][what])
  M.rivals.data = {
    origin: pick(rivals.origin), name: pick(rivals.name), made: pick(rivals.made), flags: pick(rivals.flags),
    rom: pick(rivals.rom), ram: pick(rivals.ram), y: pick(figures),
    alpha: shown.map((index) => fits(rivals, index, state) ? LIT : DIMMED),
    marker: look("marker"), color: look("color"),
  }
}

// The signs of what is there beside the variants.
function legend({page}, state) {
  const sign = (text, colour, words) => `<b style="color: ${colour}">${text}</b> ${words}`
  const isThere = (origin) => page.rivals.origin.includes(origin) && !isHidden(state, origin)
  const cross = M.theirs.data.rom.length ? [sign("\u2715", FIXED.first, "published, their own rules")] : []
  const words = {"C baseline": "C alone", external: "external routine"}
  const others = Object.entries(FIXED.rivals).filter(([origin]) => isThere(origin))
  return [...cross, ...others.map(([origin, look]) => sign(look.sign, look.color, words[origin]))].join("; ")
}

function rivalTable(view, state) {
  const {rivals} = view.page, {shown, figures} = rivalsOf(view, state)
  const fitting = shown.filter((index) => fits(rivals, index, state))
  if (!fitting.length) return ""
  const name = (index) =>
    `${FIXED.rivals[rivals.origin[index]].sign} ${rivals.name[index]}: ${rivals.made[index]}`
  const row = (index) => [`<span title="${escape(rivals.flags[index])}">${escape(name(index))}</span>`,
    number(rivals.rom[index]), number(rivals.ram[index]), number(figures[index]), rivals.marks[index]]
  const rows = fitting.toSorted((a, b) => figures[a] - figures[b]).map(row)
  return table("Not ours, counted as ours", ["routine", "ROM", "RAM", "cycles", "marks"], rows, [1, 2, 3]) +
    `<p>${escape(FIXED.marks)}</p>`
}
