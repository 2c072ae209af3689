// Shelves of data. Each comes in a script of its own: a page that was opened from a disk may load scripts, and
// nothing else. In one file the scripts stand in the page.
const tightfit = (() => {
  const packs = new Map(), opened = new Map()
  let alone = "" // the one primitive of a file

  const binary = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))

  function unpack(packed) {
    const stream = new Blob([binary(packed)]).stream().pipeThrough(new DecompressionStream("gzip"))
    return new Response(stream)
  }

  const missing = (name) => alone ? `This file holds ${alone} only, and no ${name}.`
    : `data/${name}.js is missing or cannot be read: index.html needs the folder that it was written with.`

  const loadScript = (address) => new Promise((resolve, reject) => {
    const script = document.createElement("script")
    script.onload = resolve
    script.onerror = reject
    script.src = address
    document.head.append(script)
  })

  async function fetchPack(name) {
    if (!packs.has(name) && !alone)
      await loadScript(`data/${name.split("/").map(encodeURIComponent).join("/")}.js`).catch(() => {})
    if (!packs.has(name)) throw new Error(missing(name))
    const packed = packs.get(name)
    packs.delete(name)
    return unpack(packed)
  }

  // The page of a shelf; what failed is tried again when it is asked for again.
  function open(name) {
    if (!opened.has(name)) {
      const page = fetchPack(name).then((response) => response.json())
      page.catch(() => opened.delete(name))
      opened.set(name, page)
    }
    return opened.get(name)
  }

  async function start(primitive) {
    alone = primitive
    try {
      open("first").catch(() => {}) // who asks for it says what is wrong
      const bokeh = await fetchPack("bokeh").then((response) => response.blob())
      const address = URL.createObjectURL(new Blob([bokeh], {type: "text/javascript"}))
      await loadScript(address)
      URL.revokeObjectURL(address)
      await Bokeh.embed.embed_item(JSON.parse(document.getElementById("page").textContent), "explorer")
    } catch (error) {
      document.getElementById("wrong").textContent = error.message
    }
  }

  return {shelve: (name, packed) => packs.set(name, packed), open, start}
})()
