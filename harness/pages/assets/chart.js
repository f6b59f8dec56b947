// Charts by Vega-Lite, as SVG. Their colors are the page's own variables, so that light, dark and paper need no
// second drawing; a chart is drawn when it comes near the screen, the others when nothing else is to be done.
const ink = name => `var(--${name})`;
const chartConfig = {
  aria: false,  // the figure has a label and the table beside it the numbers: a point each would only be noise
  background: "transparent",
  font: "system-ui, sans-serif",
  view: {stroke: null},
  axis: {labelColor: ink("text"), titleColor: ink("text"), domainColor: ink("line"), tickColor: ink("line"),
    gridColor: ink("grid"), labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal"},
  legend: {labelColor: ink("text"), titleColor: ink("text"), labelFontSize: 12, titleFontSize: 12, labelLimit: 400,
    symbolStrokeColor: ink("text")},
  title: {color: ink("text"), fontSize: 13, fontWeight: "normal", anchor: "start"},
  text: {fill: ink("text")},
  rule: {stroke: ink("text")},
};
const narrowBelow = 560;
const waiting = new Set();
const drawn = new Set();
const drawing = new Set();

const verdictScales = {
  color: {field: "verdict", type: "nominal", legend: null,
    scale: {domain: verdictNames, range: verdictNames.map(name => ink(name))}},
  fill: {field: "verdict", type: "nominal", legend: null,
    scale: {domain: verdictNames, range: verdictNames.map(name => ink(verdicts[name].hollow ? "page" : name))}},
  shape: {field: "verdict", type: "nominal", legend: null,
    scale: {domain: verdictNames, range: verdictNames.map(name => verdicts[name].shape)}},
};

/// A figure whose chart is `make(width)`, a Vega-Lite specification. `label` says in a sentence what it shows.
function chart({label, caption, make}) {
  const host = element("div", {class: "chart", role: "img", "aria-label": label});
  const figure = element("figure", {}, caption && element("figcaption", {}, caption), host);
  const job = {host, make, width: 0};
  waiting.add(job);
  host.job = job;
  near.observe(host);
  return figure;
}

function draw(job) {
  const work = drawNow(job).finally(() => drawing.delete(work));
  drawing.add(work);
  return work;
}

async function drawNow(job) {
  const width = Math.floor(job.host.clientWidth);
  if (width === 0 || width === job.width) return;  // not to be seen, or there already
  waiting.delete(job);
  job.width = width;
  try {
    const earlier = job.result;
    job.result = await vegaEmbed(job.host, {$schema: "https://vega.github.io/schema/vega-lite/v6.json", ...job.make(width)},
      {mode: "vega-lite", renderer: "svg", actions: false, ast: true, config: chartConfig, defaultStyle: false,
        tooltip: {disableDefaultStyle: true}});
    job.host.querySelector("svg")?.setAttribute("aria-hidden", "true");
    drawn.add(job);
    earlier?.finalize();
  } catch (error) {
    job.host.textContent = "This chart could not be drawn: " + error.message;
  }
}

const near = new IntersectionObserver(entries => {
  for (const {target, isIntersecting} of entries) if (isIntersecting && waiting.has(target.job)) draw(target.job);
}, {rootMargin: "400px"});

/// Draws what is left, one at a time.
async function drawRest() {
  for (const job of [...waiting]) {
    await new Promise(go => setTimeout(go));
    if (waiting.has(job)) await draw(job);
  }
  await Promise.all(drawing);
  document.documentElement.dataset.charts = "drawn";
}

let redrawing = 0;
addEventListener("resize", () => {
  clearTimeout(redrawing);
  redrawing = setTimeout(() => { if (!matchMedia("print").matches) [...drawn].forEach(draw); }, 200);
});
