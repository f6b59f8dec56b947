// Rows as points with their intervals in the band of no effect: the heart of the page. Positions are ln(ratio) on a
// scale that is stretched around 0, so that a change of 1 % and one of 1,000 % can both be seen.
const forestTicks = [-99, -90, -75, -50, -25, -10, -3, 0, 3, 10, 25, 50, 100, 300, 1000, 3000, 10000]
  .map(change => Math.log(1 + change / 100));

const clamped = ratio => Math.log(Math.min(1e6, Math.max(1e-6, ratio)));

/// Items: {label, verdict, ratio, ends, delta, tip, published: [{ratio, text}]}.
function forestSpec(items, width, title = "change, second side against first") {
  const narrow = width < narrowBelow;
  const values = items.map((item, at) => ({key: at, label: item.label, verdict: item.verdict, tip: item.tip,
    x: clamped(item.ratio), low: clamped(item.ends?.[0] ?? item.ratio), high: clamped(item.ends?.[1] ?? item.ratio),
    bandLow: -Math.log(1 + item.delta), bandHigh: Math.log(1 + item.delta)}));
  const published = items.flatMap((item, at) =>
    (item.published ?? []).map(({ratio, text}) => ({key: at, x: clamped(ratio), tip: text})));
  const all = [...values.flatMap(({low, high}) => [low, high]), ...published.map(({x}) => x), -0.05, 0.05];
  const domain = [1.15 * Math.min(...all), 1.15 * Math.max(...all)];
  const x = {field: "x", type: "quantitative", scale: {type: "symlog", constant: 0.05, domain, nice: false},
    axis: {title, values: forestTicks, grid: true, labelOverlap: "greedy", labelSeparation: 6,
      labelFlush: true, labelExpr: "(datum.value > 0.001 ? '+' : '') + format(100 * (exp(datum.value) - 1), '.0f') + ' %'"}};
  const y = {field: "key", type: "ordinal", scale: {paddingInner: 0, paddingOuter: 0}, axis: narrow ? null : {
    title: null, labelExpr: "labels[datum.value]", labelLimit: Math.floor(width * 0.42), domain: false, ticks: false}};
  const layers = [
    {mark: {type: "rect", fill: ink("band"), stroke: null},
      encoding: {y, x: {...x, field: "bandLow"}, x2: {field: "bandHigh"}}},
    {mark: {type: "rule", stroke: ink("line"), strokeDash: [2, 2]}, encoding: {x: {...x, field: undefined, datum: 0}}},
    {mark: {type: "rule", strokeWidth: 2}, encoding: {y, x: {...x, field: "low"}, x2: {field: "high"},
      color: verdictScales.color}},
    {mark: {type: "point", filled: true, size: 80, opacity: 1, strokeWidth: 1.5},
      encoding: {y, x, shape: verdictScales.shape, fill: verdictScales.fill, stroke: verdictScales.color, tooltip: {field: "tip"}}},
  ];
  if (published.length) layers.push({data: {values: published},
    mark: {type: "point", shape: "diamond", filled: false, size: 110, stroke: ink("text"), strokeWidth: 1.5, opacity: 1},
    encoding: {y, x, tooltip: {field: "tip"}}});
  if (narrow) layers.push({mark: {type: "text", align: "left", dy: -13, fontSize: 11, limit: width - 20},
    encoding: {y, x: {value: 0}, text: {field: "label"}}});
  return {data: {values}, params: [{name: "labels", value: items.map(({label}) => label)}],
    width: width - 4, height: items.length * (narrow ? 40 : 20),
    autosize: {type: "fit-x", contains: "padding"},
    padding: {left: 5, top: 5, right: 20, bottom: 5}, layer: layers};
}

/// What the signs mean, in words.
function forestKey(items) {
  const used = verdictNames.filter(name => items.some(({verdict}) => verdict === name));
  return element("p", {class: "key"}, used.map(name => [verdictMark(name), " "]),
    items.some(({published}) => published?.length) &&
      element("span", {class: "verdict"}, "\u25c7 published, on the publisher's own machine "),
    element("span", {class: "band"}, "same: within the smallest change of interest"));
}
