// Two runs held against each other: what became faster or slower, and what differs between them.
function comparedItem(row) {
  const change = row.optimized;
  return {label: shortName(row.name), verdict: row.verdict, ratio: change.ratio, ends: change.ratio_ci, delta: row.delta,
    tip: `${row.name}: ${changeText(change.ratio, change.ratio_ci)}, ${row.word}`};
}

const changeColumn = (title, field) => ({title, numeric: true, value: row => row[field]?.ratio,
  show: row => changeText(row[field]?.ratio, row[field]?.ratio_ci),
  csv: {[field]: row => row[field]?.ratio, [field + "_low"]: row => row[field]?.ratio_ci?.[0],
    [field + "_high"]: row => row[field]?.ratio_ci?.[1]}});

const countsText = row => row.increases.map(({figure, form, base, current}) => `${figure} (${sideOf(form)}): ${base} to ${current}`).join("; ");

const comparedTable = ({rows, base, current}) => table({caption: `Rows of ${current} against ${base}`, rows, columns: [
  {title: "Step, point", value: row => row.name, kind: "name", show: row => breakable(shortName(row.name))},
  {title: "Verdict", value: row => row.verdict, show: row => verdictMark(row.verdict, row.word)},
  {title: "Device", value: deviceOfName, show: row => deviceWord(deviceOfName(row))},
  {title: "Base", numeric: true, value: row => row.base, show: row => valueText(row, row.base), csv: valueCsv("base", "base")},
  {title: "New", numeric: true, value: row => row.current, show: row => valueText(row, row.current),
    csv: {...valueCsv("new", "current"), value_unit: row => row.unit === "s" ? null : row.unit}},
  changeColumn("Change of the second side", "optimized"),
  changeColumn("Of the first side", "naive"),
  {title: "Notes", value: row => [row.note, countsText(row)].filter(Boolean).join("; "), kind: "text"},
]});

/// The device that the new run measured the row on.
function deviceOfName({name}) {
  return pageData.runs[0].rows.find(row => row.name === name)?.device ?? "cpu";
}

const listed = (title, names) => names.length ? element("details", {}, element("summary", {}, `${title}: ${names.length}`),
  element("ul", {}, names.map(name => element("li", {}, name)))) : "";

function differencesPart({differences, warnings}) {
  const lines = [...differences.map(({field, base, current}) => `${field}: ${base} to ${current}`), ...warnings];
  if (!lines.length) return "";
  return element("div", {class: differences.length ? "warning" : ""}, element("p", {}, differences.length ?
    "The two runs differ in what they must share, so no row has a verdict:" : "Notes:"),
    element("ul", {}, lines.map(line => element("li", {}, line))));
}

function showComparison({comparison}) {
  if (!comparison) return;
  const made = section("Comparison", element("p", {}, `${comparison.current} against ${comparison.base}: how the time of the ` +
    "second side changed. The runs were taken one after the other, so differences between the sessions are in these numbers: take them as advice."),
    element("div", {class: "cards"}, machineCard(comparison.base_run, "Base: " + comparison.base)),
    differencesPart(comparison));
  const items = comparison.rows.filter(({optimized}) => optimized?.ratio).map(comparedItem);
  for (let at = 0; at < items.length; at += rowsOfChart) {
    const part = items.slice(at, at + rowsOfChart);
    if (at === 0) made.append(forestKey(items));
    made.append(chart({label: `Change of the second side's time of ${plural(part.length, "row")} between the two runs`,
      make: width => forestSpec(part, width, "change of the second side's time, new against base")}));
  }
  made.append(comparedTable(comparison), listed("Missing in the new run", comparison.missing), listed("New", comparison.added));
}
