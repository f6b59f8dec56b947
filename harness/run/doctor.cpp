#include "harness/run/doctor.hpp"

#include "harness/results/stand_in.hpp"
#include "harness/run/gpu_checks.hpp"
#include "harness/run/host_checks.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace harness::run {
namespace {

constexpr int value_column = 24;

Ink ink_of(Fitness fitness) {
  switch (fitness) {
    case Fitness::good:
      return Ink::green;
    case Fitness::warn:
      return Ink::yellow;
    case Fitness::bad:
      return Ink::red;
    default:
      return Ink::dim;
  }
}

std::string check_text(const Check& check, const Style& style) {
  const auto word = fmt::format("{:4}", to_string(check.fitness));
  const auto lead = fmt::format("{}  {}", word, check.name);
  auto out = indented(lead, check.value.empty() ? "unknown" : check.value, value_column, style);
  out.replace(0, word.size(), inked(word, ink_of(check.fitness), style));
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

std::string in_one_sentence(const std::vector<Check>& checks) {
  const auto count = [&](Fitness fitness) { return std::ranges::count(checks, fitness, &Check::fitness); };
  const auto libtorch = std::ranges::find(checks, "libtorch", &Check::name);
  if (libtorch != checks.end() && libtorch->fitness == Fitness::bad)
    return "This program cannot measure here: fix libtorch first.";
  if (count(Fitness::bad) > 0) return "A GPU is present, but this program cannot use it.";
  if (count(Fitness::warn) == 0) return "This machine is fit for measuring.";
  return fmt::format("This machine is usable. For narrower intervals, fix what is marked warn ({}).",
                     count(Fitness::warn));
}

std::string sentence_text(const std::vector<Check>& checks, const Style& style) {
  return "\n" + indented("", in_one_sentence(checks), 0, style);
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
  if (well) return check;
  check.matters = std::move(matters);
  check.fix = std::move(fix);
  return check;
}

std::string_view to_string(Fitness fitness) {
  switch (fitness) {
    case Fitness::good:
      return "ok";
    case Fitness::note:
      return "note";
    case Fitness::warn:
      return "warn";
    case Fitness::bad:
      return "BAD";
    case Fitness::unknown:
      break;
  }
  return "?";
}

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
  command->callback(
      [json, &program, &chosen] { chosen = [json, &program] { return run_doctor(program, *json); }; });
}

}  // namespace harness::run
