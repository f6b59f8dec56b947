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

/// What `tune` found is an option of JSON: one candidate is spelled out, several stand in the table of the search.
function tunedText(value) {
  try {
    const {workload, settings} = JSON.parse(value);
    const [first, ...more] = settings;
    const words = more.length ? plural(settings.length, "candidate")
      : Object.entries(first).map(([knob, chosen]) => `${knob}=${chosen}`).join(" ");
    return `settings of ${workload}: ${words}`;
  } catch {
    return `settings ${value}`;
  }
}

function settingsText(settings) {
  return Object.entries(settings ?? {}).map(([name, value]) =>
    name === "--settings" ? tunedText(value) : `${name.replace(/^--/, "")} ${value}`).join(", ");
}

function disturbanceText(run) {
  const {disturbance} = run;
  if (!disturbance?.rounds) return null;
  const stolen = disturbance.steal_seconds / disturbance.seconds;
  return `${plural(disturbance.rounds, "round")} in ${timeText(disturbance.seconds)}; ` +
    `${(100 * stolen).toFixed(1)} % of the time stolen by other guests, ` +
    `${plural(disturbance.involuntary_switches, "involuntary switch", "involuntary switches")}`;
}

function machineCard(run, title) {
  const machine = machineOf(run), {software = {}} = run.fingerprint.hard;
  const ran = devicesOf(run).map(device => deviceName(run, device)).join(", ");
  return element("article", {class: "card"}, element("h3", {}, title ?? run.file), facts([
    ["Measured on", ran || "nothing was measured"],
    ["CPU", [machine.cpu_model, machine.physical_cores && plural(machine.physical_cores, "core"),
      machine.logical_cpus && plural(machine.logical_cpus, "logical CPU")].filter(Boolean).join(", ")],
    ["Memory", machine.memory_gib && machine.memory_gib + " GiB"],
    ["GPU", gpuName(machine) ?? "none: nothing in this run was measured on a GPU"],
    ["Kind", machine.hypervisor ? "a virtual machine" : null],
    ["Software", [["LibTorch", software.libtorch], ["CUDA", software.cuda_runtime], ["driver", software.driver],
      ["", software.compiler]].filter(([, value]) => value).map(pair => pair.join(" ").trim()).join(", ")],
    ["Run", [timeOfDay(run.started), run.session.suite && "suite " + run.session.suite, "commit " + run.commit].filter(Boolean).join(", ")],
    ["Settings", settingsText(run.settings)],
    ["Quiet", disturbanceText(run)],
  ]));
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

function showMachines(data) {
  const cards = [...data.runs.map(run => machineCard(run)), ...data.self_tests.map(selfTestCard)];
  if (cards.length) section("Machine", element("div", {class: "cards"}, cards));
}
