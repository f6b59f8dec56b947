// Puts the page together, and says when it is there.
const pageData = JSON.parse(document.getElementById("data").textContent);

const countsOf = rows => verdictNames.map(name => [name, rows.filter(row => row.verdict === name).length])
  .filter(([, count]) => count).map(([name, count]) => `${count} ${verdicts[name].word}`).join(", ");

/// What was measured on which device; no two devices are counted together.
function summaryText({runs, traces, prices, history, tunes, simulations}) {
  const parts = runs.flatMap(run => devicesOf(run).map(device => `Measured on the ${deviceName(run, device)}: ` +
    countsOf(run.rows.filter(row => measured(row) && (row.device ?? "cpu") === device)) + "."));
  const rest = countsOf(runs.flatMap(({rows}) => rows.filter(row => !measured(row))));
  if (rest) parts.push(`Without a result: ${rest}.`);
  if (prices.length) parts.push(plural(prices.length, "price list") + ".");
  if (history) parts.push(`A history of ${plural(history.sessions.length, "session")}.`);
  if (simulations.length) parts.push("Simulated rows stand at the end: predictions, not measurements.");
  if (traces.length) parts.push(`${plural(traces.length, "trace")} diagnosed.`);
  for (const {tune} of tunes) parts.push(`Tuning of ${tune.plan.workload}: ${tune.conclusion}`);
  return parts.join(" ");
}

function showAll(data) {
  const summary = document.getElementById("summary");
  summary.textContent = summaryText(data);
  if (data.stand_in) summary.before(element("p", {class: "warning"}, data.stand_in));
  document.getElementById("written").textContent = `Written by tuneproof ${data.program}. This file asks nothing of any network.`;
  const files = [...data.runs, ...data.prices, ...data.tunes, ...data.traces.flatMap(({traces}) => traces), ...data.history ? [data.history] : [], ...data.simulations].map(({file}) => file);
  document.title = "tuneproof report: " + files.join(", ").slice(0, 100);
  const start = document.getElementById("main");
  start.append(element("span", {id: "results", tabindex: "-1"}));
  showMachines(data);
  showTunes(data);
  showLadder(data);
  showSteps(data);
  showComparison(data);
  showHistory(data);
  showPrices(data);
  showTraces(data);
  showSimulated(data);
}

showAll(pageData);
document.documentElement.dataset.ready = "yes";
performance.mark("ready");
addEventListener("load", () => setTimeout(drawRest, 50));
