// Tables that sort by their headings, with the keyboard as with the mouse, and can be copied as CSV.
const firstRows = 200;  // more are shown when asked for

/// RFC 4180; a text that a spreadsheet would run is defused.
function csvCell(value) {
  if (value == null) return "";
  if (typeof value === "number") return String(value);
  const text = (/^[=+\-@]/.test(value) ? "'" : "") + value;
  return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

const csvText = (heading, rows) => [heading, ...rows].map(row => row.map(csvCell).join(",")).join("\n") + "\n";

function compareValues(a, b) {
  if (a == null || b == null) return (a == null) - (b == null);  // what is missing stands last
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}

/// Columns: {title, value(row), show(row), numeric, csv: {name: value(row)}}. `value` is what is sorted by; `show`
/// is text or an element, by default the value. The first column names the row. `remark(row)` lists what a line below it says.
function table({caption, columns, rows, notes, remark = () => []}) {
  const body = element("tbody");
  const status = element("p", {class: "note"});
  const shown = {rows, all: false};
  const heads = columns.map((column, at) => headOf(column, () => sort(at)));
  let sorted = {at: -1, up: false};

  function cell(column, row, first) {
    const content = column.show ? column.show(row) : column.value(row) ?? missing;
    return element(first ? "th" : "td", {scope: first && "row", class: [column.numeric && "number", column.kind].filter(Boolean).join(" ") || null},
      typeof content === "string" ? withArrows(content) : content);
  }
  function draw() {
    const part = shown.all ? shown.rows : shown.rows.slice(0, firstRows);
    body.replaceChildren(...part.flatMap(row => [
      element("tr", {}, columns.map((column, at) => cell(column, row, at === 0))), remarkLine(remark(row))].filter(Boolean)));
    status.replaceChildren(...part.length < rows.length ? [`${part.length} of ${rows.length} rows. `, more] : []);
  }
  function remarkLine(said) {
    return said.length && element("tr", {class: "remark"}, element("td", {colspan: columns.length}, element("div", {}, said)));
  }
  function sort(at) {
    sorted = {at, up: sorted.at === at ? !sorted.up : true};
    const {value} = columns[at];
    shown.rows = rows.map(row => [value(row), row]).sort(([a], [b]) =>
      a == null || b == null || sorted.up ? compareValues(a, b) : compareValues(b, a)).map(([, row]) => row);
    heads.forEach((head, i) =>
      i === at ? head.setAttribute("aria-sort", sorted.up ? "ascending" : "descending") : head.removeAttribute("aria-sort"));
    draw();
    say(`Sorted by ${columns[at].title}, ${sorted.up ? "ascending" : "descending"}`);
  }
  const more = element("button", {type: "button", onclick: () => { shown.all = true; draw(); }}, "Show all");
  draw();
  return element("div", {class: "table"},
    element("div", {class: "scroll", role: "group", tabindex: "0", "aria-label": caption},
      element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, heads)), body)),
    status, notes && element("p", {class: "note"}, notes),
    copyButton("Copy as CSV", caption, () => tableCsv(columns, shown.rows)));
}

function headOf(column, sort) {
  if (!column.value) return element("th", {scope: "col"}, column.title);
  return element("th", {scope: "col", class: column.numeric && "number"},
    element("button", {type: "button", class: "sort", onclick: sort}, column.title,
      element("span", {class: "arrow", "aria-hidden": "true"})));
}

/// A column gives one cell, or those of its `csv`.
function tableCsv(columns, rows) {
  const cells = columns.flatMap(column => column.csv ? Object.entries(column.csv) : [[column.title, column.value]])
    .filter(([, value]) => value);
  return csvText(cells.map(([name]) => name), rows.map(row => cells.map(([, value]) => value(row))));
}
