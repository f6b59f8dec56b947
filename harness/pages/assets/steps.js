// Every row that was measured: a point with its interval, and the table that says the same in numbers.
const rowsOfChart = 40;

/// What a row is judged by where that is not its time.
const judgedBy = row => row.metric === "first_figure" ? row.figures?.[0]?.name ?? "its first figure"
  : row.metric === "p99_over_median" ? "p99 over median" : "";
const judgedText = row => judgedBy(row) && ` (judged by ${judgedBy(row)})`;

function rowItem(row) {
  const published = (row.published_pairs ?? []).map(pair => ({ratio: pair.ratio,
    text: `published: ${pair.before} -> ${pair.after} ${pair.unit}${pair.where ? ` (${pair.where})` : ""}`}));
  return {label: shortName(row.name) + judgedText(row), verdict: row.verdict, ratio: row.ratio, ends: row.ratio_ci, delta: row.delta,
    published, tip: `${row.name}, ${row.sides.join(" -> ")}: ${changeText(row.ratio, row.ratio_ci)}, ${row.word}`};
}

/// Rows in charts of at most 40: all together where they are few, else by subject.
function charted(rows) {
  if (rows.length <= rowsOfChart) return rows.length ? [["", rows]] : [];
  const subjects = new Map();
  for (const row of rows) {
    const subject = row.step.replace(/\/.*$/, "");
    subjects.set(subject, [...subjects.get(subject) ?? [], row]);
  }
  return [...subjects].flatMap(([subject, all]) => Array.from({length: Math.ceil(all.length / rowsOfChart)}, (_, part) => [
    subject + (all.length > rowsOfChart ? `, part ${part + 1}` : ""), all.slice(part * rowsOfChart, (part + 1) * rowsOfChart)]));
}

/// "unstable machine (fixed work up to 31 % off): a fixed piece of work ...": a flag with its size and its meaning.
const flagTexts = (run, row) => (row.flags ?? []).map(flag => {
  const [word, meaning] = run.flags.map(text => text.split(/(?=:)/)).find(([word]) => flag.startsWith(word)) ?? [];
  return word ? flag + meaning : flag;
});

/// What else is to be said of a row, in a line of its own below it.
function remarkOf(run, row) {
  const said = [judgedBy(row) && `judged by ${judgedBy(row)}`, row.sentence, row.ratio == null && row.reason, ...flagTexts(run, row)].filter(Boolean).join("; ");
  return [row.contradicts && element("strong", {}, "! contradicts its source "), said && element("small", {}, said)].filter(Boolean);
}

function rowTable(run, rows, where) {
  return table({caption: "Rows on " + where, rows, columns: [
    {title: "Step, point", value: row => row.name, kind: "name", show: row => element("button",
      {type: "button", class: "open", "aria-haspopup": "dialog", onclick: () => showEvidence(run, row)}, breakable(shortName(row.name)))},
    {title: "Verdict", value: row => row.verdict, show: row => verdictMark(row.verdict, row.word),
      csv: {verdict: row => row.word, decided_by: row => row.by, flags: row => row.flags?.join("; ")}},
    {title: "Change [interval]", numeric: true, kind: "change", value: row => row.ratio, show: row => changeText(row.ratio, row.ratio_ci),
      csv: {ratio: row => row.ratio, ratio_low: row => row.ratio_ci?.[0], ratio_high: row => row.ratio_ci?.[1]}},
    {title: "From -> to", value: row => row.sides.join(" -> "), kind: "sides"},
    {title: "From", numeric: true, value: row => row.naive, show: row => valueText(row, row.naive), csv: valueCsv("from", "naive")},
    {title: "To", numeric: true, value: row => row.optimized, show: row => valueText(row, row.optimized),
      csv: {...valueCsv("to", "optimized"), value_unit: row => row.unit}},
    {title: "Decided by", value: row => row.by},
    {title: "Published", value: row => row.published === "no figure" ? null : row.published, kind: "text"},
    {title: "Least", numeric: true, value: row => row.mde, show: row => row.mde == null ? missing : effectText(row.mde),
      csv: {smallest_effect: row => row.mde}},
    {title: "Rounds", numeric: true, value: row => row.rounds ?? row.logs?.length},
    {title: "Device", value: row => row.device ?? "cpu", show: row => deviceWord(row.device)},
  ], remark: row => remarkOf(run, row), notes: "To: From and the change, which is the median of the rounds' ratios. Least: the smallest change " +
    "that this run could have shown; where it says 4 times, nothing less than a fourth or four times of From. Published elsewhere: on another kind of device or at another point. " +
    "A row's name opens its samples and its lesson."});
}

function skippedTable(rows) {
  const why = [...new Set(rows.map(({reason}) => reason))];
  const words = [...new Set(rows.map(({word}) => word))].join(" or ");
  return element("details", {}, element("summary", {}, `${plural(rows.length, "row")} ${words}${why.length === 1 && why[0] ? ": " + why[0] : ""}`),
    table({caption: "Skipped and failed", rows, columns: [
      {title: "Step, point", value: row => row.name, kind: "name"},
      {title: "Verdict", value: row => row.verdict, show: row => verdictMark(row.verdict)},
      {title: "Device", value: row => row.device, show: row => row.device ? deviceWord(row.device).replace(/ .*/, "") : missing},
      {title: "Why", value: row => row.reason, kind: "text"},
    ]}));
}

function showDevice(made, run, device) {
  const where = deviceName(run, device), rows = run.rows.filter(row => measured(row) && (row.device ?? "cpu") === device);
  made.append(element("h3", {}, `Measured on the ${where}`));
  const items = rows.filter(row => row.ratio != null).map(rowItem);
  if (items.length) made.append(forestKey(items));
  for (const [subject, part] of charted(rows.filter(row => row.ratio != null)))
    made.append(chart({caption: subject, label: `Change of time of ${plural(part.length, "row")}${subject && " of " + subject}, measured on the ${where}`,
      make: width => forestSpec(part.map(rowItem), width)}));
  made.append(rowTable(run, rows, where));
}

function showSteps(data) {
  for (const run of data.runs) {
    const made = section(data.runs.length > 1 ? "Steps of " + run.file : "Steps", element("p", {},
      "Each row compares two sides, and the second follows the tip. A point left of zero: the second side is faster (or takes " +
      "less of what the row is judged by). The verdict is faster or slower only if the whole interval lies outside of the band, " +
      "and same only if it lies within."));
    for (const device of devicesOf(run)) showDevice(made, run, device);
    const rest = run.rows.filter(row => !measured(row));
    if (rest.length) made.append(skippedTable(rest));
    made.append(copyButton("Copy all rounds as CSV", "Rounds", () => roundsCsv(run)));
  }
}

/// One line for each round of each row: what the verdicts rest on.
const roundsCsv = run => tableCsv([{csv: {row: ({row}) => row.name, device: ({row}) => row.device ?? "cpu", round: ({round}) => round,
  ratio: ({row, round}) => ratioOf(row.logs[round]), ...valueCsv("naive", "naive"), ...valueCsv("optimized", "optimized"),
  value_unit: ({unit}) => unit}}], run.rows.flatMap(row => (row.logs ?? []).map((_, round) => ({row, round, unit: row.unit,
  naive: roundValue(row, "naive", round), optimized: roundValue(row, "optimized", round)}))));
