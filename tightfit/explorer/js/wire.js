// Where pages come from: from the server, one answer to each question, or from the shelves of what was written.
const waiting = new Map()
let asked = 0

function ask(what, key = "") {
  if (WIRE.written) return WRITTEN[what](key)
  const turn = ++asked
  return new Promise((resolve, reject) => {
    waiting.set(turn, {resolve, reject})
    WIRE.ask.value = JSON.stringify({number: turn, what, key})
  })
}

function answered() {
  const {number, page, error, changed} = JSON.parse(WIRE.reply.value)
  if (changed) {
    stale = true
    notice([])
    return
  }
  const {resolve, reject} = waiting.get(number) ?? {}
  waiting.delete(number)
  if (error) reject?.(new Error(error))
  else resolve?.(page)
}

if (WIRE.reply) WIRE.reply.properties.value.change.connect(answered)
