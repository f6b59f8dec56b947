// A history: each row over the sessions, with the places where its level moved for good.
const shortCommit = commit => commit.replace(/^([0-9a-f]{7})[0-9a-f]*/, "$1");

/// A row's sessions in the order of time: {at, commit, naive, optimized, level}. `level` is the geometric mean between
/// two moves.
function historyPoints(row, sessions) {
  const ends = row.moves.map(({at}) => at).sort((a, b) => a - b).concat(row.at.length);
  let begin = 0;
  return ends.flatMap(end => {
    const part = row.optimized.slice(begin, end);
    const level = Math.exp(part.reduce((sum, seconds) => sum + Math.log(seconds), 0) / part.length);
    const points = part.map((optimized, i) => ({at: begin + i, optimized, level, naive: row.naive[begin + i],
      ...sessions[row.at[begin + i]]}));
    begin = end;
    return points;
  });
}

const moveText = (row, {ratio, shown}) => `${percent(shown)}\u00a0% ${ratio > 1 ? row.more : row.less}`;

function historySpec(row, sessions, width) {
  const points = historyPoints(row, sessions), most = Math.max(...row.naive, ...row.optimized);
  const [size, unit] = axisUnit(row, most);
  const values = points.flatMap(point => ["naive", "optimized"].map(form => ({at: point.at, form: sideOf(form), time: point[form] / size,
    tip: `${shortCommit(point.commit)}, ${timeOfDay(point.started)}, ${sideOf(form)}: ${valueText(row, point[form])}`})));
  const moved = row.moves.map(move => ({at: move.at - 0.5, kind: move.ratio > 1 ? "hurts" : "helps", text: moveText(row, move)}));
  const x = {field: "at", type: "quantitative", scale: {domain: [-0.5, points.length - 0.5], nice: false},
    axis: {title: "commit", labelExpr: "commits[datum.value] || ''", tickMinStep: 1, labelAngle: -45,
      tickCount: Math.min(points.length, Math.floor(width / 60)), grid: false}};
  const y = {field: "time", type: "quantitative", scale: {zero: false}, axis: {title: unit, tickCount: 5}};
  const form = {field: "form", scale: {domain: ["naive", "optimized"].map(sideOf), range: [ink("line"), ink("first")]}, legend: {orient: "top", title: null}};
  const breaks = points.slice(1).filter((point, i) => point.software !== points[i].software).map(({at}) => ({at: at - 0.5}));
  return {params: [{name: "commits", value: points.map(({commit}) => shortCommit(commit))}], width: width - 4, height: 220,
    autosize: {type: "fit-x", contains: "padding"}, layer: [
      {data: {values: breaks}, mark: {type: "rule", stroke: ink("line"), strokeDash: [2, 3]}, encoding: {x}},
      {data: {values: points.map(({at, level}) => ({low: at - 0.5, high: at + 0.5, time: level / size}))},
        mark: {type: "rule", strokeWidth: 6, opacity: 0.35, stroke: ink("first")}, encoding: {y, x: {...x, field: "low"}, x2: {field: "high"}}},
      {data: {values}, mark: {type: "point", filled: true, size: 55, opacity: 1}, encoding: {x, y, color: form,
        shape: {...form, scale: {domain: form.scale.domain, range: ["square", "circle"]}}, tooltip: {field: "tip"}}},
      ...moved.flatMap(({kind, ...move}) => [{data: {values: [move]}, mark: {type: "rule", strokeWidth: 2, stroke: ink(kind)}, encoding: {x}},
        {data: {values: [move]}, mark: {type: "text", align: "left", dx: 2, dy: -4, baseline: "bottom", fill: ink(kind)},
          encoding: {x, y: {value: 0}, text: {field: "text"}}}]),
    ]};
}

const historyChart = (row, sessions) => chart({caption: shortName(row.name),
  label: `${row.name} over ${plural(row.at.length, "session")}: ` + (row.moves.length ? row.moves.map(move => moveText(row, move)).join(", then ") : "its level has not moved"),
  make: width => historySpec(row, sessions, width)});

function historyTable({rows, sessions}) {
  const last = row => sessions[row.at.at(-1)], moved = row => row.moves[0] && sessions[row.at[row.moves[0].at]];
  return table({caption: "Rows over all sessions", rows, columns: [
    {title: "Step, point", value: row => row.name, kind: "name", show: row => breakable(shortName(row.name))},
    {title: "Device", value: row => /device:cuda/.test(row.name) ? "cuda" : "cpu", show: row => deviceWord(/device:cuda/.test(row.name) ? "cuda" : "cpu")},
    {title: "Machine", numeric: true, value: row => last(row).machine + 1},
    {title: "Sessions", numeric: true, value: row => row.at.length},
    {title: "Last commit", value: row => shortCommit(last(row).commit)},
    {title: "Second side there", numeric: true, value: row => row.optimized.at(-1), show: row => valueText(row, row.optimized.at(-1))},
    {title: "Moved", numeric: true, value: row => row.moves[0]?.ratio, show: row => row.moves[0] ? moveText(row, row.moves[0]) : missing},
    {title: "Since", value: row => moved(row) && shortCommit(moved(row).commit)},
    {title: "First side too", value: row => row.moves[0] && (row.moves[0].both ? "yes: the machine, or shared code" : "no")},
  ], notes: "A move is 3 % or more that stayed, at p < 0.001 of Welch's test; at least ten sessions with one software make a series. It advises: compare two builds to be sure."});
}

function showHistory({history}) {
  if (!history) return;
  const {rows, sessions} = history, moved = rows.filter(({moves}) => moves.length), still = rows.filter(({moves}) => !moves.length);
  const made = section("History", element("p", {}, `${plural(sessions.length, "session")} in ${history.file}: ` +
    `${plural(moved.length, "row")} of ${rows.length} moved. Each chart shows a row's times over the commits; the band is the ` +
    "second side's level, a colored line the commit at which it moved, a dotted line other software."));
  made.append(...moved.map(row => historyChart(row, sessions)), historyTable(history));
  if (still.length) made.append(element("details", {open: !moved.length && still.length < 13},
    element("summary", {}, `Charts of the ${plural(still.length, "row")} that have not moved`), still.map(row => historyChart(row, sessions))));
}
