// What is behind one verdict: the rounds that it rests on, the figures beside the times, and the lesson of the step.
const ratioOf = log => +Math.exp(log / 1e4).toPrecision(6);

/// The median time, or figure, of a form in one round; they are stored as 10,000 ln(time / median of all).
function roundValue(row, form, round) {
  const log = row[form + "_rounds"]?.[round];
  return log == null ? null : +(row[form] * Math.exp(log / 1e4)).toPrecision(5);
}

function ratioSpec(row, width) {
  const values = row.logs.map((log, round) => ({round: round + 1, change: 100 * (ratioOf(log) - 1)}));
  const y = {type: "quantitative", axis: {title: `change of ${judgedBy(row) || "time"}, %`, titleLimit: 200, tickCount: 6}, scale: {zero: false}};
  const change = ratio => 100 * (ratio - 1), across = (low, high, fill) => ({data: {values: [{low, high}]},
    mark: {type: "rect", fill: ink(fill)}, encoding: {y: {...y, field: "low"}, y2: {field: "high"}}});
  return {width: width - 4, height: 220, autosize: {type: "fit-x", contains: "padding"}, data: {values}, layer: [
    across(change(1 / (1 + row.delta)), 100 * row.delta, "band"),
    ...row.ratio_ci ? [across(change(row.ratio_ci[0]), change(row.ratio_ci[1]), "interval")] : [],
    {data: {values: [{change: change(row.ratio)}]}, mark: {type: "rule", stroke: ink("text")},
      encoding: {y: {...y, field: "change"}}},
    {mark: {type: "point", filled: true, size: 60, opacity: 1, color: ink("text")}, encoding: {y: {...y, field: "change"},
      x: {field: "round", type: "quantitative", axis: {title: "round", tickMinStep: 1, format: "d"},
        scale: {domain: [0, values.length + 1], nice: false}}}}]};
}

function timesSpec(row, width) {
  const [size, unit] = axisUnit(row, row.naive);
  const values = ["naive", "optimized"].flatMap(form => (row[form + "_rounds"] ?? []).map((_, round) =>
    ({form: row.sides[form === "naive" ? 0 : 1], round: round + 1, time: roundValue(row, form, round) / size})));
  return {width: width - 4, height: 220, autosize: {type: "fit-x", contains: "padding"}, data: {values},
    mark: {type: "point", filled: true, size: 60, opacity: 1}, encoding: {
      y: {field: "time", type: "quantitative", scale: {zero: false}, axis: {title: unit, tickCount: 6}},
      x: {field: "round", type: "quantitative", axis: {title: "round", tickMinStep: 1, format: "d"},
        scale: {domain: [0, (row.naive_rounds?.length ?? 0) + 1], nice: false}},
      color: {field: "form", scale: {domain: row.sides, range: [ink("first"), ink("second")]}, legend: {orient: "top", title: null}},
      shape: {field: "form", scale: {domain: row.sides, range: ["square", "circle"]}, legend: {orient: "top", title: null}}}};
}

function figuresTable(row) {
  return table({caption: "Figures beside the times", rows: row.figures, columns: [
    {title: "Figure", value: ({name}) => name},
    {title: row.sides[0], numeric: true, value: ({naive}) => naive, show: ({naive, unit}) => figureText(naive, unit)},
    {title: row.sides[1], numeric: true, value: ({optimized}) => optimized, show: ({optimized, unit}) => figureText(optimized, unit)},
    {title: "Unit", value: ({unit}) => unit},
  ]});
}

const stepOf = id => Object.hasOwn(pageData.steps, id) && pageData.steps[id];  // a name may be "constructor"

function lessonPart(id) {
  const step = stepOf(id);
  if (!step) return element("p", {}, `This version of the program has no step ${id}, so there is no lesson.`);
  return [element("h3", {}, "The lesson"), element("p", {}, step.claim, " ", element("cite", {}, "(",
    element("a", {href: step.source.url, rel: "noreferrer"}, step.source.title), `, ${step.source.where})`)),
  element("pre", {tabindex: "0"}, step.lesson)];
}

function evidenceOf(run, row) {
  const parts = [];
  const add = (label, make) => parts.push(chart({label, caption: label, make}));
  if (row.logs?.length) add(`Each round's change of ${judgedBy(row) || "time"}; the wide band is that of "same", the dark one ` +
    "the interval", width => ratioSpec(row, width));
  if (row.naive_rounds?.length) add(`Each round's ${judgedBy(row) || "time"} of both sides`, width => timesSpec(row, width));
  return [facts([
    ["Device", deviceName(run, row.device)], ["Verdict", verdictMark(row.verdict, row.word)], ["Decided by", row.by], ["Why", row.reason],
    ["In a sentence", row.sentence ?? row.evidence],
    ["Change [interval]", changeText(row.ratio, row.ratio_ci)], ["Flags", flagTexts(run, row).join("; ")],
    [row.sides[0], row.naive && valueText(row, row.naive)], [row.sides[1], row.optimized && valueText(row, row.optimized)],
    ["Metric", row.metric && `${row.metric}, ${row.timer}`], ["Published", row.published], ["The source expects", row.expected],
  ]), element("div", {class: "pair"}, parts), row.figures ? figuresTable(row) : "", lessonPart(row.step)];
}

function showEvidence(run, row) {
  const dialog = document.getElementById("evidence");
  const close = element("button", {type: "button", onclick: () => dialog.close()}, "Close");
  dialog.replaceChildren(element("div", {class: "bar"}, element("h2", {id: "evidence-title"}, row.name), close),
    ...[evidenceOf(run, row)].flat(2).filter(Boolean));
  dialog.showModal();
  dialog.scrollTop = 0;
}
