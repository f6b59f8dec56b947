// What things cost: rates over size with the line t = a + n/b where one holds, and what follows from them.
const series = ["first", "second", "third", "fourth", "fifth", "sixth"];
const seriesShapes = ["circle", "square", "triangle-up", "diamond", "triangle-right", "triangle-down"];

const curveName = rows => rows.replace(/^prices\//, "").replace(/\/?bytes:$/, "");
const familyOf = ({rows, moved}) => curveName(rows).split("/")[0] + (moved ? ": rate" : ": time");

/// Bytes moved for each byte of the size, as the price's own rate counts them: a triad moves three. 0 where it has no rate.
const movedPerByte = ({rows, points: [[bytes, seconds]]}, prices) =>
  (prices.find(price => price.name.startsWith(rows) && price.seconds === seconds)?.bytes_per_second ?? 0) * seconds / bytes;

/// Curves of one subject and unit, at most six to a chart.
function families(curves) {
  const all = new Map();
  for (const curve of curves) all.set(familyOf(curve), [...all.get(familyOf(curve)) ?? [], curve]);
  return [...all].flatMap(([family, list]) => Array.from({length: Math.ceil(list.length / series.length)},
    (_, part) => [family, list.slice(part * series.length, (part + 1) * series.length)]));
}

/// What is drawn of so many bytes in that time: the rate in GB/s, or the time of what has no rate.
const drawnValue = ({moved}, bytes, seconds) => moved ? 1e-9 * moved * bytes / seconds : seconds;

function linePoints(curve) {
  const {rows, points, line} = curve;
  if (!line) return [];
  const [first, last] = [points[0][0], points.at(-1)[0]], steps = 40;
  return Array.from({length: steps + 1}, (_, i) => first * (last / first) ** (i / steps))
    .map(bytes => ({curve: curveName(rows), bytes, value: drawnValue(curve, bytes, line.start + line.per_byte * bytes)}));
}

function curveSpec(curves, width) {
  const names = curves.map(({rows}) => curveName(rows)), lines = curves.flatMap(linePoints);
  const values = curves.flatMap(curve => curve.points.map(([bytes, seconds]) => ({curve: curveName(curve.rows), bytes,
    value: drawnValue(curve, bytes, seconds),
    tip: `${curveName(curve.rows)}, ${bytesText(bytes)}: ${timeText(seconds)}${curve.moved ? ", " + rateText(curve.moved * bytes / seconds) : ""}`})));
  const sizes = values.map(({bytes}) => bytes), [low, high] = [Math.min(...sizes), Math.max(...sizes)];
  const ticks = Array.from({length: 16}, (_, i) => 4 ** i).filter(bytes => bytes >= low / 4 && bytes <= high * 4);
  const x = {field: "bytes", type: "quantitative", scale: {type: "log", base: 2, domain: [low / 1.4, high * 1.4], nice: false},
    axis: {title: "bytes", values: ticks, grid: true, labelOverlap: "greedy", labelExpr: "datum.value >= 1073741824 ? " +
      "datum.value / 1073741824 + ' GiB' : datum.value >= 1048576 ? datum.value / 1048576 + ' MiB' : " +
      "datum.value >= 1024 ? datum.value / 1024 + ' KiB' : datum.value + ' B'"}};
  const y = {field: "value", type: "quantitative", scale: {type: "log", nice: true}, axis: curves[0].moved ? {title: "GB/s"} : {title: "time", values: Array.from({length: 14}, (_, i) => 10 ** (i - 10)), labelOverlap: "greedy",
    labelExpr: "datum.value >= 0.9995 ? format(datum.value, '~g') + ' s' : datum.value >= 0.9995e-3 ? " +
      "format(datum.value * 1e3, '~g') + ' ms' : datum.value >= 0.9995e-6 ? format(datum.value * 1e6, '~g') + ' us' : " +
      "format(datum.value * 1e9, '~g') + ' ns'"}};
  const legend = {orient: "top", title: null, columns: width < narrowBelow ? 1 : 3};
  const color = {field: "curve", scale: {domain: names, range: series.map(ink)}, legend};
  const shape = {field: "curve", scale: {domain: names, range: seriesShapes}, legend};
  const even = curves.filter(curve => curve.batching_up_to).map(curve => ({curve: curveName(curve.rows),
    bytes: curve.batching_up_to, tip: `${curveName(curve.rows)}: batching more than halves the time of pieces up to ${bytesText(curve.batching_up_to)}`}));
  return {width: width - 4, height: 300, autosize: {type: "fit-x", contains: "padding"}, data: {values}, layer: [
    ...lines.length ? [{data: {values: lines}, mark: {type: "line", strokeWidth: 1.5}, encoding: {x, y, color}}] : [],
    ...even.length ? [{data: {values: even}, mark: {type: "rule", strokeDash: [4, 4], strokeWidth: 1.5},
      encoding: {x, color, tooltip: {field: "tip"}}}] : [],
    {mark: {type: "point", filled: true, size: 70, opacity: 1}, encoding: {x, y, color, shape, tooltip: {field: "tip"}}}]};
}

function lineText({line}) {
  if (!line) return "none holds";
  const rate = line.per_byte > 0 ? ` + n / (${digits(1e-9 / line.per_byte)} GB/s)` : "";
  return (line.start > 0 ? timeText(line.start) : "0") + rate;
}

const curveTable = curves => table({caption: "Curves over size", rows: curves, columns: [
  {title: "Price", value: ({rows}) => curveName(rows), kind: "name"},
  {title: "t = a + n/b", value: lineText, kind: "whole", csv: {a_seconds: ({line}) => line?.start, seconds_per_byte: ({line}) => line?.per_byte}},
  {title: "Largest error", numeric: true, value: ({line}) => line?.worst, show: ({line}) => line ? (100 * line.worst).toFixed(0) + " %" : missing},
  {title: "Batching pays up to", numeric: true, value: curve => curve.batching_up_to,
    show: curve => curve.batching_up_to ? bytesText(curve.batching_up_to) : "no size"},
  {title: "Sizes", numeric: true, value: ({points}) => points.length},
], notes: "n: the bytes of the price's size. The rate of a chart counts each byte of a copy once, though it is read and written, and all three arrays of a triad."});

const balanceTable = balance => table({caption: "What follows from the prices: break-even sizes and rates",
  rows: balance.filter(({said}) => said.length), columns: [
    {title: "About", value: ({about}) => about},
    {title: "On this machine", value: ({said}) => said.join("; "), kind: "text"},
    {title: "From the rows", value: ({from}) => from, kind: "name"},
  ]});

const priceTable = prices => table({caption: "All prices", rows: prices, columns: [
  {title: "Price", value: ({name}) => name, kind: "name"},
  {title: "Time", numeric: true, value: ({seconds}) => seconds, show: ({seconds}) => timeText(seconds), csv: {seconds: ({seconds}) => seconds}},
  {title: "Rate", numeric: true, value: price => price.bytes_per_second || null, show: price => rateText(price.bytes_per_second),
    csv: {bytes_per_second: price => price.bytes_per_second || null}},
]});

/// Why these prices say nothing of the rows beside them, or nothing at all.
const doubtsOf = ({elsewhere, busy}) => [elsewhere, busy].filter(Boolean).map(text => element("p", {class: "warning"}, text));

function showPrices(data) {
  for (const file of data.prices) {
    const made = section(data.prices.length > 1 ? "Prices of " + file.file : "Prices", element("p", {},
      `What things cost, from ${file.file}. Points were measured. A line is that of start-up time a plus bytes n at rate b, drawn where ` +
      "it fits the times within 25 %. Dashed: below this size, batching at least halves the time."),
      ...doubtsOf(file),
      file.context.whole === "no" && element("p", {class: "warning"}, "This list is not whole: measuring it was stopped before the last price. Measure it again with tuneproof prices."),
      facts([["Measured by", file.context.tuneproof && "tuneproof " + file.context.tuneproof], ["When", file.context.date && timeOfDay(file.context.date)],
        ["GPU", file.context.cuda], ["LibTorch", file.context.libtorch]]));
    for (const [family, curves] of families(file.curves.map(curve => ({...curve, moved: movedPerByte(curve, file.prices)}))))
      made.append(chart({caption: family + " over size", label: `${curves[0].moved ? "Rate" : "Time"} over size of ${plural(curves.length, "price")}: ${curves.map(({rows}) => curveName(rows)).join(", ")}`,
        make: width => curveSpec(curves, width)}));
    made.append(file.curves.length ? curveTable(file.curves) : "", file.balance.some(({said}) => said.length) ? balanceTable(file.balance) : "",
      element("details", {}, element("summary", {}, "All prices"), priceTable(file.prices)));
  }
}
