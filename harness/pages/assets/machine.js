// Where it was measured: one card for each run, with the device in its first line.
const machineOf = run => run.fingerprint.hard.machine ?? {};

function gpuName(machine) {
  const {gpu} = machine;
  return gpu == null ? null : typeof gpu === "string" ? gpu : gpu.name ?? JSON.stringify(gpu);
}

/// The device of a row by name: "CPU (AMD EPYC)", "GPU cuda:0 (NVIDIA A30)".
function deviceName(run, device) {
  const name = device?.startsWith("cuda") ? gpuName(machineOf(run)) : machineOf(run).cpu_model;
  return deviceWord(device) + (name ? ` (${name})` : "");
}

const measured = row => row.verdict !== "skipped" && row.verdict !== "failed";

/// The devices that rows of the run were measured on.
const devicesOf = run => [...new Set(run.rows.filter(measured).map(row => row.device ?? "cpu"))];

function settingsText(settings) {
  return Object.entries(settings ?? {}).map(([name, value]) =>
    `${name.replace(/^--/, "")} ${value}`).join(", ");
}

const disturbedFrom = 0.05;  // of the CPU

function disturbanceText(run) {
  const {disturbance} = run;
  if (!disturbance) return null;
  const said = disturbance.text && element(disturbance.other_cpu >= disturbedFrom ? "strong" : "span",
    {class: disturbance.other_cpu >= disturbedFrom && "hurts"}, disturbance.text + " ");
  if (!disturbance.rounds) return [said];
  const stolen = disturbance.steal_seconds / disturbance.seconds;
  return [said, `${plural(disturbance.rounds, "round")} in ${timeText(disturbance.seconds)}; ` +
    `${(100 * stolen).toFixed(1)} % of the time stolen by other guests, ` +
    `${plural(disturbance.involuntary_switches, "involuntary switch", "involuntary switches")}`];
}

const measuredWhere = run => devicesOf(run).map(device => deviceName(run, device)).join(", ") || "nothing was measured";
const measuredWhen = run =>
  [timeOfDay(run.started), run.session.suite && "suite " + run.session.suite, "commit " + run.commit].filter(Boolean).join(", ");

/// What one run says of itself: where, when, how disturbed.
const runFacts = run => facts([
  ["Measured on", measuredWhere(run)],
  ["Run", measuredWhen(run)],
  ["Settings", settingsText(run.settings)],
  ["Disturbance", disturbanceText(run)],
]);

function machineCard(run, title) {
  const machine = machineOf(run), {software = {}} = run.fingerprint.hard;
  return element("article", {class: "card"}, element("h3", {}, title ?? run.file), runFacts(run), facts([
    ["CPU", [machine.cpu_model, machine.physical_cores && plural(machine.physical_cores, "core"),
      machine.logical_cpus && plural(machine.logical_cpus, "logical CPU")].filter(Boolean).join(", ")],
    ["Memory", machine.memory_gib && machine.memory_gib + " GiB"],
    ["GPU", gpuName(machine) ?? "none: nothing in this run was measured on a GPU"],
    ["Machine", machine.hypervisor ? "a virtual machine, which shares its hardware with others" : null],
    ["Software", [["LibTorch", software.libtorch], ["CUDA", software.cuda_runtime], ["driver", software.driver],
      ["", software.compiler]].filter(([, value]) => value).map(pair => pair.join(" ").trim()).join(", ")],
  ]));
}

/// "NVIDIA H200, AMD EPYC": what the folded cards are of.
function machineLine(data) {
  const names = new Set(data.runs.flatMap(run => [gpuName(machineOf(run)), machineOf(run).cpu_model]).filter(Boolean));
  return [...names].join(", ") || "The machine";
}

function selfTestCard({file, test}) {
  const {proves = {}} = test, rate = of => of && `${of.hits} of ${of.trials}`;
  return element("article", {class: "card"}, element("h3", {}, file), facts([
    ["Self-test", proves.grade && "grade " + proves.grade],
    ["Machine", test.fingerprint?.hard?.machine?.cpu_model],
    ["False claims", rate(proves.false_claims)],
    ["Planted slowdowns found", rate(proves.found)],
    ["Run", [timeOfDay(test.started), "commit " + test.commit].join(", ")],
  ]));
}

/// The facts of a machine once, and below them each run on it.
function machineCards(runs) {
  const groups = new Map();
  for (const run of runs) {
    const key = JSON.stringify([machineOf(run), run.fingerprint.hard.software]);
    groups.set(key, [...groups.get(key) ?? [], run]);
  }
  return [...groups.values()].map(([first, ...others]) => {
    const card = machineCard(first);
    for (const run of others) card.append(element("h3", {}, run.file), runFacts(run));
    return card;
  });
}

function showMachines(data) {
  const cards = [...machineCards(data.runs), ...data.self_tests.map(selfTestCard)];
  if (cards.length) section("Machine", element("details", {}, element("summary", {}, machineLine(data)),
    element("div", {class: "cards"}, cards)));
}
