// What `tune` searched and proved: each trial in its turn, speed against memory, which knobs mattered, and what of
// the search's claims was measured.
const trialStates = {kept: "keeps the limits", broken: "breaks a limit", pruned: "given up on", failed: "failed"};
const trialShapes = ["circle", "diamond", "cross", "square"];
const stateInks = ["first", "fifth", "line", "sixth"];
const stateOf = trial => trialStates[trial.state !== "complete" ? trial.state : trial.keeps_limits ? "kept" : "broken"];

function trialTip(trial) {
  const parts = [`trial ${trial.number + 1}: ${trial.difference}`];
  if (trial.seconds_per_sample) parts.push(`${timeText(trial.seconds_per_sample)} per sample`);
  if (trial.peak_bytes != null) parts.push(bytesText(trial.peak_bytes));
  if (trial.loss != null) parts.push(`loss ${digits(trial.loss)}`);
  if (trial.reason) parts.push(trial.reason);
  return parts.join(", ");
}

const trialScales = () => ({
  color: {field: "state", type: "nominal", scale: {domain: Object.values(trialStates), range: stateInks.map(ink)},
    legend: {orient: "top", title: null}},
  shape: {field: "state", type: "nominal", scale: {domain: Object.values(trialStates), range: trialShapes},
    legend: {orient: "top", title: null}}});

const sampleTime = values => {
  const largest = Math.max(...values), unit = largest < 1e-3 ? [1e-6, "us"] : largest < 1 ? [1e-3, "ms"] : [1, "s"];
  return {scale: unit[0], axis: {title: `time per sample, ${unit[1]}`, tickCount: 6}};
};

/// Each trial's time, and the lowest so far of those that keep the limits.
function trialsSpec(trials, width) {
  const timed = trials.filter(({seconds_per_sample}) => seconds_per_sample);
  const {scale, axis} = sampleTime(timed.map(({seconds_per_sample}) => seconds_per_sample));
  const values = timed.map(trial => ({trial: trial.number + 1, time: trial.seconds_per_sample / scale,
    state: stateOf(trial), tip: trialTip(trial)}));
  let lowest = Infinity;
  const best = [];
  for (const {trial, time, state} of values) {
    if (state === trialStates.kept) lowest = Math.min(lowest, time);
    if (lowest < Infinity) best.push({trial, time: lowest});
  }
  const x = {field: "trial", type: "quantitative", axis: {title: "trial", tickMinStep: 1, format: "d"},
    scale: {domain: [0, Math.max(...trials.map(({number}) => number)) + 2], nice: false}};
  const y = {field: "time", type: "quantitative", scale: {zero: true}, axis};
  return {width: width - 4, height: 260, autosize: {type: "fit-x", contains: "padding"}, data: {values}, layer: [
    {data: {values: best}, mark: {type: "line", interpolate: "step-after", strokeWidth: 1.5, stroke: ink("third")}, encoding: {x, y}},
    {mark: {type: "point", filled: true, size: 70, opacity: 1}, encoding: {x, y, ...trialScales(), tooltip: {field: "tip"}}}]};
}

/// Complete trials by time and memory, with the front through those that no other beats in both.
function frontSpec(trials, front, width) {
  const complete = trials.filter(({state}) => state === "complete");
  const {scale, axis} = sampleTime(complete.map(({seconds_per_sample}) => seconds_per_sample));
  const point = ({seconds_per_sample, peak_bytes}) => ({time: seconds_per_sample / scale, memory: peak_bytes / 2 ** 20});
  const values = complete.map(trial => ({...point(trial), state: stateOf(trial), tip: trialTip(trial)}));
  const x = {field: "time", type: "quantitative", scale: {zero: false}, axis};
  const y = {field: "memory", type: "quantitative", scale: {zero: false}, axis: {title: "memory, MiB", tickCount: 6}};
  return {width: width - 4, height: 260, autosize: {type: "fit-x", contains: "padding"}, data: {values}, layer: [
    {data: {values: front.map(point)}, mark: {type: "line", strokeWidth: 1.5, stroke: ink("third"), interpolate: "step-after"}, encoding: {x, y}},
    {mark: {type: "point", filled: true, size: 70, opacity: 1}, encoding: {x, y, ...trialScales(), tooltip: {field: "tip"}}}]};
}

function importanceSpec(importance, width) {
  const values = importance.map(({knob, share}) => ({knob, share: 100 * share, tip: `${knob}: ${(100 * share).toFixed(0)} %`}));
  return {width: width - 4, height: 24 * values.length, autosize: {type: "fit-x", contains: "padding"}, data: {values},
    mark: {type: "bar", fill: ink("first")}, encoding: {
      y: {field: "knob", type: "nominal", sort: null, axis: {title: null}},
      x: {field: "share", type: "quantitative", scale: {domain: [0, 100]}, axis: {title: "share of the scatter of ln(time), %"}},
      tooltip: {field: "tip"}}};
}

const candidateTable = candidates => table({caption: "What the search promised, and what was measured", rows: candidates, columns: [
  {title: "Settings", value: ({label}) => label},
  {title: "Unlike the standard", value: ({difference}) => difference, kind: "text"},
  {title: "Promised", numeric: true, value: ({promised}) => promised, show: ({promised}) => percent(promised) + "\u00a0%"},
  {title: "Measured [interval]", numeric: true, value: ({ratio}) => ratio, show: ({ratio, ratio_ci}) => changeText(ratio, ratio_ci)},
  {title: "Verdict", value: ({verdict}) => verdict, show: ({verdict}) => verdict ? verdictMark(verdict) : "not measured"},
  {title: "Loss, other seeds", numeric: true, value: ({loss_ratio}) => loss_ratio,
    show: ({loss_ratio}) => loss_ratio == null ? missing : percent(loss_ratio) + "\u00a0%"},
]});

const trialTable = trials => table({caption: "All trials", rows: trials, columns: [
  {title: "Trial", numeric: true, value: ({number}) => number + 1},
  {title: "Unlike the standard", value: ({difference}) => difference, kind: "text"},
  {title: "Ended", value: stateOf},
  {title: "Per sample", numeric: true, value: ({seconds_per_sample}) => seconds_per_sample,
    show: ({seconds_per_sample}) => timeText(seconds_per_sample), csv: {seconds_per_sample: trial => trial.seconds_per_sample}},
  {title: "Memory", numeric: true, value: ({peak_bytes}) => peak_bytes, show: ({peak_bytes}) => peak_bytes == null ? missing : bytesText(peak_bytes)},
  {title: "Loss", numeric: true, value: ({loss}) => loss, show: ({loss}) => loss == null ? missing : digits(loss)},
  {title: "Why", value: ({reason}) => reason, kind: "text"},
]});

function tuneCharts({trials, front, importance}) {
  const complete = trials.filter(({state}) => state === "complete");
  const add = (label, make) => chart({label, caption: label, make});
  return [
    complete.length > 0 && add("Each trial's time; the line is the lowest so far of those that keep the limits", width => trialsSpec(trials, width)),
    element("div", {class: "pair"},
      complete.length > 1 && add("Speed against memory; the line joins those that no other beats in both", width => frontSpec(trials, front, width)),
      importance.length > 0 && add("Which knobs mattered: how much of the trials' scatter lies between a knob's values", width => importanceSpec(importance, width))),
  ];
}

function showTunes(data) {
  for (const {file, tune} of data.tunes) {
    section(`Tuning of ${tune.plan.workload}`, element("p", {}, tune.conclusion),
      facts([["File", file], ["Searched by", tune.searcher], ["Trials", tune.trials.length], ["Seed", tune.plan.seed],
        ["Device", deviceWord(tune.plan.device)], ["Threads at most", tune.plan.threads],
        ["Limits", `loss at most ${digits(100 * tune.plan.margin)} % above the standard` +
          (tune.plan.memory ? `, memory at most ${bytesText(tune.plan.memory)}` : "")],
        ["When", tune.started && timeOfDay(tune.started)], ["Measured by", tune.commit && "tuneproof " + tune.commit]]),
      tune.candidates.length > 0 && candidateTable(tune.candidates),
      tune.in_own_code.length > 0 && [element("h3", {}, "In your own code"),
        element("ul", {}, tune.in_own_code.map(line => element("li", {}, line)))],
      tuneCharts(tune), element("details", {}, element("summary", {}, "All trials"), trialTable(tune.trials)));
  }
}
