#include "harness/run/doctor.hpp"

#include "harness/machine/available_memory.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/run/gpu_checks.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

namespace harness::run {
namespace {

constexpr int value_column = 24;

/// By Fitness.
constexpr std::array<std::pair<std::string_view, Ink>, 5> fitness_words{
    {{"ok", Ink::green}, {"note", Ink::dim}, {"warn", Ink::yellow}, {"BAD", Ink::red}, {"?", Ink::dim}}};

std::string check_text(const Check& check, const Style& style) {
  const auto word = fmt::format("{:4}", to_string(check.fitness));
  const auto lead = fmt::format("{}  {}", word, check.name);
  auto out = indented(lead, check.value.empty() ? "unknown" : check.value, value_column, style);
  out.replace(0, word.size(),
              inked(word, fitness_words[static_cast<std::size_t>(check.fitness)].second, style));
  std::string below;
  if (!check.matters.empty()) below += indented("", check.matters, value_column, style);
  if (!check.fix.empty()) below += indented("", "-> " + check.fix, value_column, style);
  return below.empty() ? out : out + inked(below.substr(0, below.size() - 1), Ink::dim, style) + "\n";
}

/// What the worker says, or why it says nothing.
Probe probe_of(const std::filesystem::path& worker) {
  try {
    return parse_probe(ask_probe(worker, Device{Device::Kind::cuda, 0}));
  } catch (const BadInput& error) {
    return {.status = CudaStatus::no_worker, .message = error.what()};
  }
}

std::string checks_text(const std::vector<Check>& checks, const Style& style) {
  std::string out;
  for (const auto& check : checks) out += check_text(check, style);
  return out;
}

bool is_busy(const std::vector<Check>& checks) {
  const auto load = std::ranges::find(checks, "load", &Check::name);
  return load != checks.end() && load->fitness == Fitness::warn;
}

std::string in_one_sentence(const std::vector<Check>& checks) {
  const auto count = [&](Fitness fitness) { return std::ranges::count(checks, fitness, &Check::fitness); };
  const auto libtorch = std::ranges::find(checks, "libtorch", &Check::name);
  if (libtorch != checks.end() && libtorch->fitness == Fitness::bad)
    return "This program cannot measure here: fix libtorch first.";
  if (count(Fitness::bad) > 0) return "A GPU is present, but this program cannot use it.";
  if (is_busy(checks)) return "This machine is usable, but too busy for prices now.";
  if (count(Fitness::warn) == 0) return "This machine is fit for measuring.";
  return fmt::format("This machine is usable. For narrower intervals, fix what is marked warn ({}).",
                     count(Fitness::warn));
}

/// What to do then; what is bad or warned of has its command beside it.
std::string next_command(const std::vector<Check>& checks) {
  if (doctor_exit(checks) != 0) return "Next: tuneproof doctor, once that is fixed.";
  if (is_busy(checks)) return "Next: tuneproof doctor, once the other work has ended.";
  return "Next: tuneproof prices --quick";
}

std::string sentence_text(const std::vector<Check>& checks, const Style& style) {
  return "\n" + indented("", in_one_sentence(checks), 0, style) +
         indented("", next_command(checks), 0, style);
}

/// The sentence below the checks; a warning beside it where no GPU took part.
std::string end_text(const std::vector<Check>& checks, const Probe& probe, const Style& style) {
  return sentence_text(checks, style) +
         (results::is_stand_in(probe.gpu_name) ? results::warning_line(style) : "");
}

int run_doctor(const catalogue::Program& program, bool json) {
  const SystemFiles files;
  const auto style = style_of(stdout);
  auto checks = host_checks(files);
  if (!json) {  // at once: the others wait for LibTorch, and for a kernel to run where there is a device
    fmt::print("{}", checks_text(checks, style));
    std::fflush(stdout);
  }
  const auto probe = probe_of(program.worker);
  const auto others = gpu_checks(probe, read_nvml(), files, jit_cache_folder());
  checks.insert(checks.end(), others.begin(), others.end());
  fmt::print("{}", json ? doctor_json(checks) : checks_text(others, style) + end_text(checks, probe, style));
  return doctor_exit(checks);
}

}  // namespace

Check judged(Check check, bool well, Fitness otherwise, std::string matters, std::string fix) {
  check.fitness = well ? Fitness::good : otherwise;
  check.matters.clear();  // why it was not known
  if (well) return check;
  check.matters = std::move(matters);
  check.fix = std::move(fix);
  return check;
}

std::string_view to_string(Fitness fitness) { return fitness_words[static_cast<std::size_t>(fitness)].first; }

std::string doctor_text(const std::vector<Check>& checks, const Style& style) {
  return checks_text(checks, style) + sentence_text(checks, style);
}

using Json = nlohmann::ordered_json;

std::string doctor_json(const std::vector<Check>& checks) {
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  auto all = Json::array();
  for (const auto& check : checks)
    all.push_back(
        {{"check", check.name},
         {"fitness", check.fitness == Fitness::unknown ? Json(nullptr) : Json(to_string(check.fitness))},
         {"value", text_or_null(check.value)},
         {"matters", text_or_null(check.matters)},
         {"fix", text_or_null(check.fix)}});
  return Json{{"usable", doctor_exit(checks) == 0}, {"checks", std::move(all)}}.dump(2) + "\n";
}

int doctor_exit(const std::vector<Check>& checks) {
  return std::ranges::find(checks, Fitness::bad, &Check::fitness) == checks.end() ? 0 : 1;
}

void add_doctor(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto json = std::make_shared<bool>(false);
  auto* command = app.add_subcommand(
      "doctor", "Check whether this machine is fit for measuring, and show how to fix what is not");
  command->add_flag("--json", *json, "Print the checks as JSON");
  command->footer(
      "Exit code 1: this program cannot measure here, or cannot use a GPU that is present. 0: otherwise.\n"
      "The checks need no root.\n\n"
      "Examples:\n"
      "  tuneproof doctor\n"
      "  tuneproof doctor --json > machine.json");
  catalogue::choose_by(*command, chosen, [json, &program] { return run_doctor(program, *json); });
}

namespace {

// Who else has a share of this host's CPUs: other processes, the container's quota, the hypervisor.

constexpr double steal_share = 0.01;  // of the time since boot

/// A check that cannot be made unless `file` says what it asks for.
Check told_by(std::string name, std::string_view file) {
  return {.name = std::move(name),
          .matters = fmt::format("{} does not say; virtual machines and containers often hide it", file)};
}

bool says_anything_of_groups(const SystemFiles& files) {
  return files.text("proc/self/cgroup") || files.text("sys/fs/cgroup/cpu.max");
}

Check load(const SystemFiles& files) {
  auto check = told_by("load", "/proc/loadavg");
  const auto average = files.number("proc/loadavg");
  auto cpus = files.names("sys/devices/system/cpu", "cpu");  // also "cpufreq" and "cpuidle"
  std::erase_if(cpus, [](const auto& name) { return name.find_first_of("0123456789") != 3; });
  const auto count = std::max(static_cast<double>(cpus.size()), 1.0);
  if (!average) return check;
  check.value = fmt::format("{:.2f} on {:.0f} CPUs in the last minute", *average, count);
  return judged(check, *average <= busy_share * count, Fitness::warn,
                "other processes disturb what is measured and widen the intervals",
                "ps -eo pcpu,pid,args --sort=-pcpu | head");
}

Check quota(const SystemFiles& files) {
  auto check = told_by("cpu quota", "/proc/self/cgroup");
  if (!says_anything_of_groups(files)) return check;
  const auto cpus = read_settings(files).quota;
  check.value = cpus ? fmt::format("{:.2g} CPUs", *cpus) : "none";
  return judged(check, !cpus, Fitness::warn,
                "when the quota of a period is used up, everything stops until the next period",
                "start the container without --cpus; --cpuset-cpus gives whole CPUs instead");
}

Check affinity(const SystemFiles& files) {
  auto check = told_by("affinity", "/proc/self/status");
  const auto allowed = files.field("proc/self/status", "Cpus_allowed_list");
  if (!allowed) return check;
  const auto online = files.text("sys/devices/system/cpu/online");
  check.value = "CPUs " + *allowed;
  return judged(
      check, !online || *online == *allowed, Fitness::note,
      fmt::format("of {}: if you set more --threads than that, they share CPUs", online.value_or("")));
}

Check steal(const SystemFiles& files) {
  auto check = told_by("stolen time", "/proc/stat");
  std::istringstream words(files.text("proc/stat").value_or(""));
  std::string name;
  double total = 0;
  double stolen = 0;
  words >> name;
  for (int column = 0; column < 8; ++column) {
    double ticks = 0;
    if (!(words >> ticks)) return check;
    total += ticks;
    if (column == 7) stolen = ticks;
  }
  if (name != "cpu" || total <= 0) return check;
  check.value = fmt::format("{:.1f} % since boot", 100 * stolen / total);
  return judged(check, stolen <= steal_share * total, Fitness::warn,
                "the hypervisor gives this machine's CPUs to other machines");
}

Check virtual_machine(const SystemFiles& files) {
  auto check = told_by("virtual", "/proc/cpuinfo");
  const auto flags = files.field("proc/cpuinfo", "flags");
  if (!flags) return check;
  const bool is_virtual = (" " + *flags + " ").find(" hypervisor ") != std::string::npos;
  const auto maker = files.text("sys/class/dmi/id/sys_vendor");
  check.value = is_virtual ? "a virtual machine" + (maker ? " (" + *maker + ")" : std::string()) : "no";
  return judged(check, !is_virtual, Fitness::note,
                "neighbors on the same host may slow it down; clocks and counters may be hidden");
}

Check cpu(const SystemFiles& files) {
  auto check = told_by("cpu", "/proc/cpuinfo");
  const auto cpuinfo = files.text("proc/cpuinfo");
  if (!cpuinfo) return check;
  Host host;
  read_cpuinfo(*cpuinfo, host);
  int threads = 0;
  for (std::size_t at = 0; (at = cpuinfo->find("processor\t", at)) != cpuinfo->npos; ++at) ++threads;
  const bool smt = host.physical_cores < threads && cpuinfo->find("core id") != cpuinfo->npos;
  check.value = fmt::format("{}, {} hardware threads", host.cpu_model, threads);
  if (smt) check.value += fmt::format(" on {} cores", host.physical_cores);
  return judged(check, !smt, Fitness::note,
                "two threads of one core share its units: more --threads than cores add noise");
}

Check governor(const SystemFiles& files) {
  auto check = told_by("frequency", "/sys/devices/system/cpu/cpu0/cpufreq");
  const auto governor = files.text(cpu_folder + "cpu0/cpufreq/scaling_governor");
  if (!governor) return check;
  check.value = "governor " + *governor;
  return judged(check, *governor == "performance", Fitness::warn,
                "the clock follows the load, so short measurements see a slower CPU than long ones",
                "sudo cpupower frequency-set -g performance");
}

Check turbo(const SystemFiles& files) {
  auto check = told_by("turbo", "/sys/devices/system/cpu");
  const auto on = read_settings(files).turbo;
  if (!on) return check;
  check.value = *on ? "on" : "off";
  const bool intel = files.number(cpu_folder + "intel_pstate/no_turbo").has_value();
  return judged(check, !*on, Fitness::note,
                "clocks drift with heat; quads cancel a slow drift, but times may shift between runs",
                intel ? "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
                      : "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost");
}

Check numa(const SystemFiles& files) {
  const auto nodes = files.names("sys/devices/system/node", "node").size();
  auto check = told_by("numa", "/sys/devices/system/node");
  if (nodes == 0) return check;
  check.value = fmt::format("{} node{}", nodes, nodes == 1 ? "" : "s");
  return judged(
      check, nodes == 1, Fitness::note, "memory on a node far from the GPU or the thread is slower to reach",
      "numactl --cpunodebind=0 --membind=0 tuneproof run ...  (the GPU's node: nvidia-smi topo -m)");
}

Check huge_pages(const SystemFiles& files) {
  auto check = told_by("huge pages", "/sys/kernel/mm/transparent_hugepage");
  check.value = read_settings(files).huge_pages;
  if (check.value.empty()) return check;
  check.fitness = Fitness::note;
  check.matters = "both sides see the same setting; if two results differ in it, compare says so";
  return check;
}

Check memory(const SystemFiles& files) {
  auto check = told_by("memory", "/proc/meminfo");
  const auto available = available_memory(files);
  if (available == std::numeric_limits<std::size_t>::max()) return check;
  const auto bytes = static_cast<double>(available);
  check.value = memory_text(bytes) + " available";
  constexpr double full_size =
      12.0 * 1024 * 1024 * 1024;  // the data set is 5.7 GB, and batches are made of it
  return judged(check, bytes >= full_size, Fitness::note,
                "the full STGym data set takes 5.7 GB: use a smaller --scale");
}

Check disk(const SystemFiles& files) {
  auto check = told_by("disk", "/tmp");
  const auto bytes = files.free_bytes("tmp");
  if (!bytes) return check;
  check.value = memory_text(*bytes) + " free in /tmp";
  return judged(check, *bytes >= 1e9, Fitness::warn, "results and traces need room");
}

Check shared_memory(const SystemFiles& files) {
  auto check = told_by("shared memory", "/dev/shm");
  const auto bytes = files.free_bytes("dev/shm");
  if (!bytes) return check;
  check.value = memory_text(*bytes) + " free in /dev/shm";
  return judged(check, *bytes >= 256.0 * 1024 * 1024, Fitness::warn,
                "loader processes pass batches through it", "docker run --shm-size=2g ...");
}

}  // namespace

std::vector<Check> host_checks(const SystemFiles& files) {
  return {cpu(files),   governor(files),   turbo(files),  load(files),
          quota(files), affinity(files),   steal(files),  virtual_machine(files),
          numa(files),  huge_pages(files), memory(files), shared_memory(files),
          disk(files)};
}

}  // namespace harness::run
