// Sizes as the commands read them: bytes or KB of 1024 bytes, decimal or hexadecimal.
const SIZE = /^\s*(0x[0-9a-f]+|[0-9]+)\s*(b|bytes?|kb|kib|k)?\s*$/i

function parseSize(text) {
  const [, digits, unit] = SIZE.exec(text) ?? []
  const size = digits && Number(digits) * (/^k/i.test(unit ?? "") ? 1024 : 1)
  if (size > 0 && Number.isSafeInteger(size)) return size
  throw new Error(`'${text}' is no size: write bytes or KB, such as 486, 512B, 1KB or 0x200`)
}

const formatSize = (size) => size % 1024 ? `${size}B` : `${size / 1024}KB`

// The name of a budget: its ROM, Fast where that is free, and its RAM.
const budgetName = ({rom, ram}) =>
  `${rom == null ? "Fast" : formatSize(rom)}/${ram == null ? "any" : formatSize(ram)}`
