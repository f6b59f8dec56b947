// What each row was predicted to save before it ran, beside what it then saved.
const predicted = row => row.prediction && row.prediction.reason == null && row.prediction.saving_ns != null;

/// A saving as a share of the form below, in percent; its interval likewise.
function savingShares(row, saving) {
  const below = row.prediction.below_ns ?? row.naive * 1e9, share = ns => 100 * ns / below;
  return {at: share(saving.saving_ns), low: share(saving.ci_ns[0]), high: share(saving.ci_ns[1])};
}

function predictionSpec(rows, width) {
  const narrow = width < narrowBelow;
  const values = rows.flatMap((row, key) => [["predicted", row.prediction], ["measured", row.prediction.measured]]
    .filter(([, saving]) => saving).map(([which, saving]) => ({key, which, label: shortName(row.name), ...savingShares(row, saving),
      tip: `${row.name}, ${which}: ${savingText(saving)}`})));
  const y = {field: "key", type: "ordinal", axis: {title: null, labelExpr: "labels[datum.value]", domain: false, ticks: false,
    grid: !narrow, labels: !narrow, labelLimit: Math.floor(width * 0.42)}};
  const yOffset = {field: "which", type: "nominal", scale: {domain: ["predicted", "measured"], paddingOuter: narrow ? 0.8 : 0.4}};
  const x = {type: "quantitative", axis: {title: "saved, % of the naive form's time", tickCount: 6}};
  const legend = {orient: "top", title: null}, domain = ["predicted", "measured"];
  const color = {field: "which", scale: {domain, range: [ink("fourth"), ink("text")]}, legend};
  return {params: [{name: "labels", value: rows.map(({name}) => shortName(name))}], width: width - 4,
    height: rows.length * (narrow ? 56 : 32), autosize: {type: "fit-x", contains: "padding"}, data: {values}, layer: [
      ...narrow ? [{transform: [{filter: "datum.which === 'predicted'"}], encoding: {y, x: {value: 0},
        text: {field: "label"}}, mark: {type: "text", align: "left", dy: -21, fontSize: 11, limit: width - 20}}] : [],
      {mark: {type: "rule", stroke: ink("line"), strokeDash: [2, 2]}, encoding: {x: {...x, datum: 0}}},
      {mark: {type: "rule", strokeWidth: 2}, encoding: {y, yOffset, x: {...x, field: "low"}, x2: {field: "high"}, color}},
      {mark: {type: "point", filled: true, size: 70, opacity: 1}, encoding: {y, yOffset, x: {...x, field: "at"}, color,
        shape: {field: "which", scale: {domain, range: ["square", "circle"]}, legend}, tooltip: {field: "tip"}}}]};
}

const signedTime = ns => ns < 0 ? "-" + timeText(-ns * 1e-9) : ns === 0 ? "0" : timeText(ns * 1e-9);
const savingText = saving => saving?.saving_ns == null ? missing :
  signedTime(saving.saving_ns) + (saving.ci_ns ? ` [${saving.ci_ns.map(signedTime).join(", ")}]` : "");
/// "914 operator calls", "128 KiB that operators move": bytes and FLOP are told by their amount, not by their number of calls.
function removedText({what, count, amount}) {
  if (what.startsWith("bytes")) return bytesText(Math.abs(amount)) + what.slice(5);
  if (what.startsWith("FLOP") && amount === 0) return `${what} at another price`;
  return `${digits(Math.abs(what.startsWith("FLOP") ? amount : count))} ${what}`;
}
const adds = ({what, count, amount}) => (/^(bytes|FLOP)/.test(what) ? amount : count) < 0;
const removesText = ({removes}) => (removes ?? []).map(work => (adds(work) ? "adds " : "") + removedText(work)).join("; ");

/// "-26.0 % on AMD EPYC (1 core), -24.1 % by counts here; ": empty where a prediction rests on counts alone.
const elsewhereText = ({elsewhere, below_ns}) => !elsewhere ? "" :
  `${changeText(1 - elsewhere.share)} on ${elsewhere.machine} (${elsewhere.started.slice(0, 10)}), ` +
  `${changeText(1 - elsewhere.counted_ns / below_ns)} by counts here; `;

const predictionTable = rows => table({caption: "Predictions and measurements", rows, columns: [
  {title: "Step, point", value: row => row.name, kind: "name", show: row => breakable(shortName(row.name))},
  {title: "Device", value: row => row.device ?? "cpu", show: row => deviceWord(row.device)},
  {title: "Predicted saving", numeric: true, value: row => row.prediction.saving_ns, show: row => savingText(row.prediction),
    csv: {predicted_ns: row => row.prediction.saving_ns, predicted_low_ns: row => row.prediction.ci_ns?.[0],
      predicted_high_ns: row => row.prediction.ci_ns?.[1]}},
  {title: "Measured saving", numeric: true, value: row => row.prediction.measured?.saving_ns,
    show: row => savingText(row.prediction.measured), csv: {measured_ns: row => row.prediction.measured?.saving_ns}},
  {title: "Error", numeric: true, value: row => row.prediction.measured?.error,
    show: row => row.prediction.measured ? percent(1 + row.prediction.measured.error) + " %" : missing},
  {title: "Intervals meet", value: row => row.prediction.measured && (row.prediction.measured.meets ? "yes" : "no")},
  {title: "What the tip removes, or why there is no prediction", kind: "text",
    value: row => row.prediction.reason ?? elsewhereText(row.prediction) + removesText(row.prediction)},
], notes: "Savings are of one run; the error is predicted less measured, as a share of the naive form's time."});

/// How often the intervals held, in the words and by the limits of `tuneproof scorecard`.
function heldText(checked) {
  if (!checked.length) return "";
  const count = what => checked.filter(row => row.prediction.measured[what]).length, held = count("meets");
  return `${held} of ${plural(checked.length, "predicted interval")} held: they have a value in common with the measured ` +
    `interval (${Math.round(100 * held / checked.length)} %); ${count("inside")} hold its middle. ` +
    (checked.length >= 10 && held < 0.8 * checked.length ? "They promise 90 %: do not trust the predictions here." : "");
}

function showPredictions(data) {
  for (const run of data.runs) {
    const rows = run.rows.filter(row => row.prediction), checked = rows.filter(row => predicted(row) && row.prediction.measured);
    if (!rows.length) continue;
    const made = section(data.runs.length > 1 ? "Predictions of " + run.file : "Predictions", element("p", {},
      "Before a row ran: what its tip removes, counted, times this machine's prices. " +
      (rows.some(row => row.prediction.elsewhere) ? "Where another machine has measured it: what it saved there, trusted as far as both agree. " : "") +
      "After it: what was saved. " + heldText(checked)));
    for (let at = 0; at < checked.length; at += rowsOfChart) {
      const part = checked.slice(at, at + rowsOfChart);
      made.append(chart({label: `Predicted and measured savings of ${plural(part.length, "row")}`, make: width => predictionSpec(part, width)}));
    }
    made.append(predictionTable(rows));
  }
}
