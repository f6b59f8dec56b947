// The ladder: each rung of a workload before and after its change, with the published times beside it.
const unitWords = {epoch: "epoch", step: "training step", eval: "validation pass", steps: "four training steps",
  small: "training step of a small graph", small_steps: "four training steps of a small graph"};
const unitWord = unit => Object.hasOwn(unitWords, unit) ? unitWords[unit] : `unit "${unit}"`;

/// Rungs by run, device and unit of pairing, epochs first.
function ladders(data) {
  const found = new Map();
  for (const run of data.runs)
    for (const row of run.rows) {
      const unit = row.at?.unit;
      if (!unit || !measured(row) || !row.naive || row.unit != null) continue;
      const key = [run.file, row.device ?? "cpu", unit].join(" ");
      if (!found.has(key)) found.set(key, {run, unit, device: row.device ?? "cpu", rows: []});
      found.get(key).rows.push(row);
    }
  const order = Object.keys(unitWords);
  return [...found.values()].sort((a, b) => order.indexOf(a.unit) - order.indexOf(b.unit));
}

/// "device_indices", with those coordinates that tell rows of one step apart.
function rungLabel(row, rows) {
  const own = row.step.replace(/^.*\//, "");
  const alike = rows.filter(({step}) => step === row.step);
  if (alike.length < 2) return own;
  const differing = Object.entries(row.at).filter(([axis, text]) => alike.some(({at}) => at[axis] !== text));
  return [own, ...differing.map(([, text]) => text)].join(" ");
}

const fewestPublished = 3;  // fewer published rungs are no ladder to stand beside ours
const secondsOfEpoch = row => (row.published_pairs ?? []).filter(({unit}) => unit === "s/epoch");

/// Points {rung, form, seconds, low, high}, of this machine or of the publisher's.
function ladderPoints(rows, published) {
  return rows.flatMap((row, at) => {
    const before = {rung: at, form: "before", verdict: row.verdict}, after = {...before, form: "after"};
    if (published) return secondsOfEpoch(row).flatMap(pair => [
      {...before, seconds: pair.before, tip: `${pair.where}, before: ${pair.before} ${pair.unit}`},
      {...after, seconds: pair.after, tip: `${pair.where}, after: ${pair.after} ${pair.unit}`}]);
    return [["naive", before], ["optimized", after]].map(([form, point]) => ({...point, seconds: row[form],
      low: row[form + "_ci"]?.[0] ?? row[form], high: row[form + "_ci"]?.[1] ?? row[form],
      tip: `${row.name}, ${point.form}: ${timeText(row[form])}`}));
  });
}

function ladderPart(rows, width, title, {published, labels}) {
  const values = ladderPoints(rows, published);
  const scale = published ? [1, "s"] : Math.max(...values.map(({seconds}) => seconds)) < 1 ? [1e-3, "ms"] : [1, "s"];
  for (const value of values) for (const part of ["seconds", "low", "high"]) if (value[part]) value[part] /= scale[0];
  const y = {field: "rung", type: "ordinal", scale: {domain: rows.map((_, at) => at)}, axis: labels && {title: null,
    labelExpr: "rungs[datum.value]", labelLimit: 180, domain: false, ticks: false, grid: true}};
  const most = Math.max(...values.map(({seconds, high}) => high ?? seconds), 0);
  const x = {field: "seconds", type: "quantitative", scale: {domain: [0, 1.05 * most], nice: false},
    axis: {title: `${scale[1]} per ${title.per}`, tickCount: 5}};
  const lane = {field: "form", type: "nominal", scale: {domain: ["before", "after"], paddingOuter: 0.4}};
  const is = form => [{filter: `datum.form === '${form}'`}];
  return {title: title.text, width, height: rows.length * 32, data: {values}, layer: [
    ...published ? [] : [{mark: {type: "rule", strokeWidth: 2, stroke: ink("line")},
      encoding: {y, yOffset: lane, x: {...x, field: "low"}, x2: {field: "high"}}}],
    {transform: is("before"), mark: {type: "point", shape: "square", filled: true, fill: ink("page"), stroke: ink("text"), size: 60,
      opacity: 1}, encoding: {y, yOffset: lane, x, tooltip: {field: "tip"}}},
    {transform: is("after"), mark: {type: "point", shape: "circle", filled: true, size: 80, opacity: 1, fill: ink("text"),
      stroke: ink("text")}, encoding: {y, yOffset: lane, x, tooltip: {field: "tip"}, ...published ? {} :
      {shape: verdictScales.shape, fill: verdictScales.fill, stroke: verdictScales.color}}}]};
}

function ladderSpec(ladder, width) {
  const {rows, run, device, unit} = ladder;
  const narrow = width < narrowBelow, beside = rows.filter(row => secondsOfEpoch(row).length).length >= fewestPublished;
  const labels = 150, part = narrow ? width - labels - 20 : Math.floor((width - labels - 60) * (beside ? 0.5 : 1));
  const here = ladderPart(rows, part, {text: "here: " + deviceName(run, device), per: unitWord(unit)}, {labels: true});
  const params = [{name: "rungs", value: rows.map(row => rungLabel(row, rows))}];
  if (!beside) return {params, ...here};
  const where = [...new Set(rows.flatMap(secondsOfEpoch).map(pair => pair.where))].join(", ");
  const there = ladderPart(rows, part, {text: `published: ${where}`, per: "epoch"}, {published: true, labels: narrow || null});
  return {params, [narrow ? "vconcat" : "hconcat"]: [here, there]};
}

function ladderTable({rows, run, device, unit}) {
  return table({caption: `Rungs, time per ${unitWord(unit)} on ${deviceName(run, device)}`, rows, columns: [
    {title: "Rung", value: row => rungLabel(row, rows)},
    {title: "Verdict", value: row => row.verdict, show: row => verdictMark(row.verdict, row.word)},
    {title: "Before", numeric: true, value: row => row.naive, show: row => timeText(row.naive)},
    {title: "After", numeric: true, value: row => row.optimized, show: row => timeText(row.optimized)},
    {title: "Change [interval]", numeric: true, value: row => row.ratio, show: row => changeText(row.ratio, row.ratio_ci)},
    {title: "Published", value: row => row.published},
  ]});
}

function ladderKey(all) {
  const used = verdictNames.filter(name => all.some(({rows}) => rows.some(({verdict}) => verdict === name)));
  return element("p", {class: "key"}, element("span", {class: "verdict"}, "\u25a1 before "),
    used.map(name => [verdictMark(name, "after: " + verdicts[name].word), " "]));
}

function showLadder(data) {
  const all = ladders(data);
  if (!all.length) return;
  const made = section("Ladder", element("p", {}, "Each rung is one change to the training loop. A square stands before it, " +
    "the sign of its verdict after it (a circle in a chart of published times). A bar is the interval of a median, where there were " +
    "rounds enough for one. A verdict comes from pairs of slots, so that the bars of a faster rung may overlap. Published times are of other hardware and more data: compare the steps of the ladder, not the seconds."),
    ladderKey(all));
  for (const ladder of all) {
    const word = unitWord(ladder.unit), where = deviceName(ladder.run, ladder.device);
    made.append(element("h3", {}, `Time per ${word}, ${where}`),
      chart({label: `Time per ${word} of ${plural(ladder.rows.length, "rung")} before and after each change, on ${where}`,
        make: width => ladderSpec(ladder, width)}),
      element("details", {}, element("summary", {}, "The same as a table"), ladderTable(ladder)));
  }
}
