// What a trace says: where the device's time went, what would pay, the top operators and kernels.
const regimes = [
  ["compute", "arithmetic"], ["memory", "memory"], ["communication", "communication"], ["input", "waiting for input"],
  ["overhead", "overhead and synchronization"], ["unknown", "work of unknown kind"],
];
const microseconds = us => us == null ? missing : us === 0 ? "0" : timeText(us * 1e-6);
const shareText = share => (100 * share).toFixed(share < 0.1 ? 1 : 0) + " %";

function sharesSpec(shares, width) {
  const values = regimes.filter(([name]) => shares[name] > 0).map(([name, word]) =>
    ({word, share: 100 * shares[name], text: shareText(shares[name])}));
  const y = {field: "word", type: "nominal", sort: null, axis: {title: null, labelLimit: 220, domain: false, ticks: false}};
  const x = {field: "share", type: "quantitative", scale: {domain: [0, 100]}, axis: {title: "% of the device's time", tickCount: 5}};
  return {width: width - 4, height: values.length * 26, autosize: {type: "fit-x", contains: "padding"}, data: {values}, layer: [
    {mark: {type: "bar", fill: ink("first")}, encoding: {y, x}},
    {mark: {type: "text", align: "left", dx: 5}, encoding: {y, x, text: {field: "text"}}}]};
}

function operatorsSpec(table, width) {
  const values = table.slice(0, 12).map((row, at) => ({at, name: row.name, us: row.self_cpu_us / 1e3,
    tip: `${row.name}: ${microseconds(row.self_cpu_us)}, ${plural(row.calls, "call")}`}));
  return {width: width - 4, height: values.length * 22, autosize: {type: "fit-x", contains: "padding"}, data: {values},
    params: [{name: "names", value: values.map(({name}) => name)}], mark: {type: "bar", fill: ink("second")}, encoding: {
      y: {field: "at", type: "ordinal", axis: {title: null, labelExpr: "names[datum.value]", labelLimit: Math.floor(width * 0.42),
        domain: false, ticks: false}},
      x: {field: "us", type: "quantitative", axis: {title: "self time on the host, ms", tickCount: 5}}, tooltip: {field: "tip"}}};
}

function findingsTable({findings, verdict}) {
  const steps = Math.max(1, verdict.judged_steps);
  return table({caption: "What would pay", rows: findings, columns: [
    {title: "Finding", value: ({id}) => id},
    {title: "Severity", value: ({severity}) => severity},
    {title: "Saves at most, a step", numeric: true, value: finding => finding.saves_us ?? null,
      show: ({saves_us: us}) => us ? microseconds(us / steps) : missing},
    {title: "What was seen", value: ({message}) => message, kind: "text"},
    {title: "Steps that treat it", value: ({steps}) => steps?.join(", "), kind: "text"},
  ]});
}

/// What the tips of the findings were worth when they were last measured, where results were given beside the trace.
function worthTable({worth}) {
  const where = ({measured, on_another_machine: elsewhere}) =>
    String(measured).slice(0, 10) + (elsewhere ? ", ON ANOTHER MACHINE" : "");
  return table({caption: "What the tips were worth here", rows: worth, columns: [
    {title: "Finding", value: ({finding}) => finding},
    {title: "Row", value: ({row}) => row, kind: "name"},
    {title: "Verdict", value: ({verdict}) => verdict, show: ({verdict}) => verdictMark(verdict, verdicts[verdict]?.word)},
    {title: "Change there", numeric: true, value: ({ratio}) => ratio, show: ({ratio, ratio_ci: ends}) => changeText(ratio, ends)},
    {title: "Here about, a step", numeric: true, value: row => row.saves_us_a_step, show: row => microseconds(row.saves_us_a_step)},
    {title: "Measured", value: where},
  ], notes: "A guess for this program: measured on each tip's own work, not on yours."});
}

const time = (title, field) => ({title, numeric: true, value: row => row[field], show: row => microseconds(row[field]),
  csv: {[field]: row => row[field]}});

const operatorTable = trace => table({caption: "Operators by self time on the host", rows: trace.op_table, columns: [
  {title: "Name", value: ({name}) => name, kind: "name"},
  time("Self CPU", "self_cpu_us"), time("CPU total", "cpu_total_us"), time("Self device", "self_device_us"),
  time("Device total", "device_total_us"),
  {title: "Calls", numeric: true, value: ({calls}) => calls, show: ({calls}) => calls.toLocaleString("en")},
], notes: trace.operators > trace.op_table.length ? `The first ${trace.op_table.length} of ${trace.operators}.` : ""});

const kernelTable = kernels => table({caption: "Kernels by time", rows: kernels, columns: [
  {title: "Kernel", value: ({name}) => name, kind: "name"},
  {title: "Kind", value: ({kind}) => kind},
  {title: "Calls", numeric: true, value: ({count}) => count, show: ({count}) => count.toLocaleString("en")},
  time("Time", "us"),
]});

function traceTitle(trace) {
  const names = trace.traces.map(({file}) => file), [{device, events}] = trace.traces;
  return facts([["Trace", names.length > 3 ? `${names.length} ranks: ${names[0]} ...` : names.join(", ")],
    ["Device", device ?? "none: the trace holds no device's work"], ["Events", events.toLocaleString("en")]]);
}

// The longest step without which the verdict would be another; of several ranks each has its own.
function decidingText({traces, steps}) {
  const [step] = steps.filter(({verdict_without}) => verdict_without).sort((a, b) => b.us - a.us);
  if (!step || traces.length > 1) return "";
  return ` One step decides this: without ${step.name} (${microseconds(step.us)}) the verdict would be ${step.verdict_without}.`;
}

// What no recorded step is like; the ranks of a run have one recorder, and so one sentence.
function outsideText({traces}) {
  const {outside_steps: sentence} = traces.find(({outside_steps}) => outside_steps) ?? {};
  return sentence ? ` ${sentence}.` : "";
}

function showTraces(data) {
  for (const trace of data.traces) {
    const {simulated, file} = trace.traces[0], title = simulated ? "Diagnosis, simulated: no GPU took part" : "Diagnosis";
    const made = section(data.traces.length > 1 ? `${title}: ${file}` : title, traceTitle(trace));
    const {verdict} = trace, kernels = trace.kernels.flatMap(({top}) => top ?? []);
    made.append(element("p", {class: "lead"}, element("strong", {}, verdict.regime), `: ${verdict.evidence}.`,
      verdict.would_change ? ` What would change it: ${verdict.would_change}.` : "", decidingText(trace), outsideText(trace)));
    if (regimes.some(([name]) => verdict.shares[name] > 0))
      made.append(chart({caption: "Where the device's time went", label: "Where the device's time went: " + regimes
        .filter(([name]) => verdict.shares[name] > 0).map(([name, word]) => `${word} ${shareText(verdict.shares[name])}`).join(", "),
        make: width => sharesSpec(verdict.shares, width)}));
    if (trace.findings.length) made.append(findingsTable(trace));
    if (trace.worth?.length) made.append(worthTable(trace));
    if (trace.op_table.length)
      made.append(chart({caption: "Top operators", label: "The operators with the most self time on the host; the table below has the numbers",
        make: width => operatorsSpec(trace.op_table, width)}), operatorTable(trace));
    if (kernels.length) made.append(kernelTable(kernels));
  }
}
