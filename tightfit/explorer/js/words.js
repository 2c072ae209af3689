// Figures and text as HTML.
const number = (figure) => figure == null ? "" : figure.toLocaleString("en-US", {maximumFractionDigits: 1})
const escape = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const bytes = (size) => size == null ? "any" : `${number(size)} B`

// Bytes, and the most that padding may add: 510 +255.
const padded = (size, most) => `${number(size)}${most ? ` +${number(most)}` : ""}`

// A button that changes the state when it is pressed.
const button = (label, change, about = "") =>
  `<button type="button" data-show="${escape(JSON.stringify(change))}"` +
  `${about ? ` aria-label="${escape(about)}"` : ""}>${escape(label)}</button>`

const openVariant = (id) => button(id, {variant: id, view: "variant"}, `Open variant ${id}`)

// Rows of HTML cells under heads; `right` holds the indices of the columns of figures, `marked` of rows.
function table(caption, heads, rows, right = [], marked = []) {
  const cell = (tag, html, index) => {
    const scope = tag === "th" ? ' scope="col"' : "", figure = right.includes(index) ? ' class="n"' : ""
    return `<${tag}${scope}${figure}>${html}</${tag}>`
  }
  const row = (tag, cells, mark = "") =>
    `<tr${mark}>${cells.map((html, index) => cell(tag, html, index)).join("")}</tr>`
  const body = rows.map((cells, at) => row("td", cells, marked.includes(at) ? ' class="differs"' : ""))
  return `<table><caption>${escape(caption)}</caption><thead>${row("th", heads)}</thead>` +
    `<tbody>${body.join("")}</tbody></table>`
}
