// Where pages come from: from the server, one answer to each question, or from the shelf inside the file.
const waiting = new Map()
let asked = 0

async function unpack(packed) {
  const binary = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0))
  const stream = new Blob([binary]).stream().pipeThrough(new DecompressionStream("gzip"))
  return JSON.parse(await new Response(stream).text())
}

const shelf = WIRE.shelf ? unpack(WIRE.shelf) : null

async function ask(what, key = "") {
  if (shelf) {
    const pages = await shelf
    const page = pages[what]?.[key] ?? pageOfPart(pages, what, key)
    if (page) return page
    throw new Error(`This file holds no ${what} ${key}: it was written with the front and the winners only.`)
  }
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
