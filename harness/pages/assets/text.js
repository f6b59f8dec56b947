// Numbers and verdicts as a person reads them: the same digits as on the terminal.
const verdicts = {
  helps: {word: "faster", glyph: "\u25c0", shape: "triangle-left"},
  no_effect: {word: "same", glyph: "\u25cf", shape: "circle"},
  hurts: {word: "slower", glyph: "\u25b6", shape: "triangle-right"},
  inconclusive: {word: "cannot tell", glyph: "\u25cb", shape: "circle", hollow: true},
  invalid: {word: "invalid", glyph: "\u25a0", shape: "square"},
  failed: {word: "failed", glyph: "\u2715", shape: "square"},
  skipped: {word: "skipped", glyph: "\u2013", shape: "stroke"},
};
const verdictNames = Object.keys(verdicts);
const missing = "\u2013";

/// Three significant digits without exponent.
function digits(value) {
  if (value === 0) return "0";
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)) + 1e-9));
  return Math.abs(value) >= 999.5 ? Math.round(value).toLocaleString("en") : value.toFixed(Math.min(places, 12));
}

function timeText(seconds) {
  if (!(seconds > 0)) return missing;
  const units = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]];
  const [size, unit] = units.find(([size]) => seconds >= 0.9995 * size) ?? units[3];
  return digits(seconds / size) + "\u00a0" + unit;
}

/// The size of a change, given as a logarithm: a large one is a factor, since nothing gets 139 % shorter.
const effectText = log => log < 0.5 ? digits(100 * log) + "\u00a0%" : digits(Math.exp(log)) + "\u00a0times";

function bytesText(bytes) {
  const units = [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];
  const found = units.find(([size]) => bytes >= size);
  return found ? digits(bytes / found[0]) + "\u00a0" + found[1] : Math.round(bytes) + "\u00a0B";
}

function rateText(perSecond) {
  if (!(perSecond > 0)) return missing;
  const units = [[1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [1, "B/s"]];
  const [size, unit] = units.find(([size]) => perSecond >= 0.9995 * size) ?? units[3];
  return digits(perSecond / size) + "\u00a0" + unit;
}

/// The change that a ratio is, in percent without the sign of percent: 0.517 is "-48.3".
function percent(ratio) {
  const change = 100 * (ratio - 1);
  const text = Math.abs(change) >= 99.95 ? change.toFixed(0) : change.toFixed(1);
  return /^-?0(\.0)?$/.test(text) ? "0.0" : change > 0 ? "+" + text : text;
}

function changeText(ratio, ends) {
  if (ratio == null) return missing;
  const change = percent(ratio) + "\u00a0%";
  if (!ends) return change;
  const [low, high] = ends, most = 100 * Math.max(1, low);
  return change + ` [${percent(low)}, ${high <= most ? percent(high) : ">" + percent(most)}]`;
}

/// A figure of a row in its unit.
const figureText = (value, unit) => value == null ? missing : unit === "B" ? bytesText(value)
  : (Number.isInteger(value) && value < 1e7 ? String(value) : digits(value)) + (unit && !unitless.includes(unit) ? "\u00a0" + unit : "");
const unitless = ["calls", "share", "faults", "instructions"];

/// What a row is judged by: a time, or a figure in its unit.
const valueText = ({unit = "s"}, value) => unit === "s" ? timeText(value) : figureText(value, unit);
const axisUnit = ({unit = "s"}, most) => unit === "B" ? [2 ** 20, "MiB"] : unit !== "s" ? [1, unit || "printed"]
  : most >= 1 ? [1, "s"] : most >= 1e-3 ? [1e-3, "ms"] : [1e-6, "us"];

/// The columns of a CSV for such a value: its seconds, or the number that stands for a time.
const valueCsv = (name, field) => ({[name + "_seconds"]: row => (row.unit ?? "s") === "s" ? row[field] : null,
  [name + "_value"]: row => (row.unit ?? "s") === "s" ? null : row[field]});

const plural = (count, one, many = one + "s") => count.toLocaleString("en") + " " + (count === 1 ? one : many);

/// "2026-11-21T20:23:29+00:00" without what a reader skips.
const timeOfDay = text => String(text).replace("T", " ").replace(/:\d\d(\+00:00|Z)$/, " UTC");

/// What kind of device it is, and which: "CPU", "GPU cuda:0".
const deviceWord = device => device?.startsWith("cuda") ? "GPU " + device : "CPU";

const sideOf = form => form === "naive" ? "first side" : "second side";

/// The row's name without its device, which stands beside it.
const shortName = name => name.replace(/\/device:[^/]*$/, "");
