// What `tuneproof simulate` predicts, in a section of its own: no GPU took part, and no verdict stands here.
const simulatedTime = ({seconds, interval: [low, high]}) => `${timeText(seconds)} [${timeText(low)}, ${timeText(high)}]`;

const simulatedTable = rows => table({caption: "Simulated, not measured", rows, columns: [
  {title: "Row", value: ({row}) => row, show: ({row}) => breakable(row), kind: "name"},
  {title: "Simulated on", value: ({gpu}) => gpu},
  {title: "Simulated from", numeric: true, value: ({naive}) => naive.seconds, show: ({naive}) => simulatedTime(naive),
    csv: {simulated_naive_seconds: ({naive}) => naive.seconds}},
  {title: "Simulated to", numeric: true, value: ({optimized}) => optimized.seconds, show: ({optimized}) => simulatedTime(optimized),
    csv: {simulated_optimized_seconds: ({optimized}) => optimized.seconds}},
  {title: "Simulated change", numeric: true, value: ({ratio}) => ratio,
    show: ({ratio, ratio_interval}) => changeText(ratio, ratio_interval),
    csv: {simulated_ratio: ({ratio}) => ratio}},
]});

function showSimulated(data) {
  for (const simulation of data.simulations) {
    const can = simulation.rows.filter(({ratio}) => ratio != null);
    const cannot = simulation.rows.filter(({ratio}) => ratio == null);
    section("Simulated: no GPU took part", element("p", {class: "warning"}, simulation.warning),
      element("p", {}, `From ${simulation.file}. Intervals are from the model's own errors. `, simulation.recording),
      can.length ? simulatedTable(can) : null,
      cannot.length ? element("ul", {}, cannot.map(({row, gpu, cannot}) => element("li", {}, `${row} on ${gpu}: cannot simulate: ${cannot}`))) : null);
  }
}
