// Puts the page together, and says when it is there.
const pageData = JSON.parse(document.getElementById("data").textContent);

/// Where and when it was measured, and what the page holds beside the rows.
function summaryText({runs, traces, prices, history, simulations}) {
  const parts = runs.map(run => `${run.file}: ${measuredWhere(run)}, ${measuredWhen(run)}.`);
  for (const {file, context} of prices) parts.push(`Prices: ${file}${context.date ? ", " + timeOfDay(context.date) : ""}.`);
  if (history) parts.push(`A history of ${plural(history.sessions.length, "session")}.`);
  if (simulations.length) parts.push("Simulated rows stand at the end: predictions, not measurements.");
  if (traces.length) parts.push(`${plural(traces.length, "trace")} diagnosed.`);
  return parts.join(" ");
}

const mostNamed = 5;
const comparesTimers = row => row.by === "timers";

/// Rows as a list: name, sides, change, and below it what the tip claims; a name opens what is behind it.
const rowList = (run, rows, more) => element("ol", {}, rows.map(row => element("li", {},
  element("button", {type: "button", class: "open", "aria-haspopup": "dialog", onclick: () => showEvidence(run, row)}, breakable(shortName(row.name))),
  withArrows(` ${row.sides.join(" -> ")}: ${changeText(row.ratio, row.ratio_ci)} `), verdictMark(row.verdict, row.word), more?.(row),
  stepOf(row.step) && element("small", {}, stepOf(row.step).claim))));

/// The run's rows of these names, as many as are shown.
const rowsNamed = (run, names) => names.slice(0, mostNamed).map(name => run.rows.find(row => row.name === name));

/// The five largest gains, what is slower, what contradicts its source, what prices say of the machine, and the run's
/// remarks: before any chart.
function showInShort(data) {
  for (const run of data.runs) {
    const told = run.rows.filter(row => measured(row) && row.ratio != null && !comparesTimers(row));
    const losses = told.filter(row => row.verdict === "hurts").sort((a, b) => b.ratio - a.ratio).slice(0, mostNamed);
    const against = told.filter(row => row.contradicts && row.expected && row.expected !== row.word);
    const part = (title, rows, more) => rows.length ? [element("h3", {}, title), rowList(run, rows, more)] : [];
    section(data.runs.length > 1 ? "In short: " + run.file : "In short",
      element("p", {class: "lead"}, run.summary[0] + "."), facts([["Disturbance", disturbanceText(run)]]),
      part("Helps most", rowsNamed(run, run.gains)), part("Whole ladders", rowsNamed(run, run.ladders)), part("Hurts", losses),
      part("Contradicts its source", against, row => withArrows(` (source: ${row.expected}${row.published === "no figure" ? "" : ", " + row.published})`)),
      [...run.machine, ...run.remarks].map(text => element("p", {}, withArrows(text))));
  }
}

/// How good the machine is, where no run's "In short" says it.
function showHealth(data) {
  for (const file of data.prices)
    if (file.health.length && (file.elsewhere || !data.runs.length)) section(data.prices.length > 1 ? "What the machine reaches: " + file.file : "What the machine reaches",
      ...doubtsOf(file), file.health.map(text => element("p", {}, text + ".")));
}

function showAll(data) {
  const summary = document.getElementById("summary");
  summary.textContent = summaryText(data);
  if (data.stand_in) summary.before(element("p", {class: "warning"}, data.stand_in));
  document.getElementById("written").textContent = `Written by tuneproof ${data.program}. This file asks nothing of any network.`;
  const files = [...data.runs, ...data.prices, ...data.traces.flatMap(({traces}) => traces), ...data.history ? [data.history] : [], ...data.simulations].map(({file}) => file);
  document.title = "tuneproof report: " + files.join(", ").slice(0, 100);
  const start = document.getElementById("main");
  start.append(element("span", {id: "results", tabindex: "-1"}));
  showInShort(data);
  showHealth(data);
  showSteps(data);
  showLadder(data);
  showComparison(data);
  showHistory(data);
  showPrices(data);
  showTraces(data);
  showMachines(data);
  showSimulated(data);
}

showAll(pageData);
document.documentElement.dataset.ready = "yes";
performance.mark("ready");
addEventListener("load", () => setTimeout(drawRest, 50));
