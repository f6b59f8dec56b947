#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"
#include "harness/trace/diagnose.hpp"
#include "harness/trace/diagnosis_text.hpp"
#include "harness/trace/findings.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace harness::trace {
namespace {

constexpr int most_rows = 1'000'000;
constexpr int most_mib = 1 << 24;

constexpr auto examples =
    "The verdict is input-bound, overhead/sync-bound, communication-bound, memory-bound or\n"
    "compute-bound. docs/diagnose.md explains each threshold. A trace without device events is\n"
    "judged by the time of its training thread.\n"
    "\n"
    "Examples:\n"
    "  tuneproof diagnose trace.pt.trace.json.gz\n"
    "  tuneproof diagnose ranks/                              a folder: one trace per rank\n"
    "  ssh node cat trace.json.gz | tuneproof diagnose -\n"
    "  tuneproof diagnose after.json.gz --against before.json.gz\n"
    "  tuneproof diagnose trace.json --fail-on item_sync,data_loader_wait --json -";

std::int64_t step_number(std::string_view text, std::string_view whole) {
  const auto number = parse_number<std::int64_t>(text);
  if (!number) throw BadInput(fmt::format("--steps {}: expected a step or a range like 17..20", whole));
  return *number;
}

}  // namespace

WindowChoice window_of(const DiagnoseArguments& arguments) {
  WindowChoice choice;
  choice.all_steps = arguments.all_steps;
  const std::string_view text(arguments.steps);
  if (text.empty()) return choice;
  const auto dots = text.find("..");
  choice.first_step = step_number(text.substr(0, dots), text);
  choice.last_step = dots == text.npos ? choice.first_step : step_number(text.substr(dots + 2), text);
  if (*choice.first_step > *choice.last_step)
    throw BadInput(fmt::format("--steps {}: the range ends before it begins", text));
  return choice;
}

OpKey sort_key(const std::string& word) {
  if (const auto key = op_key(word)) return *key;
  const std::vector<std::string> known{
      "name",       "calls",        "self_cpu",        "cpu_total",  "cpu_average",      "self_cuda",
      "cuda_total", "cuda_average", "self_cpu_memory", "cpu_memory", "self_cuda_memory", "cuda_memory"};
  throw BadInput(fmt::format("--sort {}: unknown column; expected one of {}", word, join_or(known)));
}

void check_ids(const std::vector<std::string>& ids) {
  std::vector<std::string> known;
  for (const auto& kind : finding_kinds()) known.emplace_back(kind.id);
  for (const auto& id : ids)
    if (finding_kind(id) == nullptr)
      throw BadInput(fmt::format("--fail-on {}: unknown finding (docs/diagnose.md lists them){}", id,
                                 did_you_mean(id, known)));
}

void check_parts(const std::vector<std::string>& parts) {
  const auto known = report_parts();
  for (const auto& part : parts)
    if (std::ranges::find(known, part) == known.end())
      throw BadInput(fmt::format("--only {}: unknown part; expected one of {}", part, join_or(known)));
}

void declare(CLI::App& command, DiagnoseArguments& arguments) {
  command
      .add_option("TRACE", arguments.traces,
                  "Trace files (.json, .json.gz), a folder of ranks, or - for standard input")
      ->required();
  auto* against = command.add_option("--against", arguments.against,
                                     "Compare with this trace: show what vanished and what grew");
  against->type_name("TRACE");
  command
      .add_option("--evidence", arguments.evidence,
                  "Show what the tips were worth in these results files, or folders of them")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command
      .add_option("--json", arguments.json, "Write the diagnosis as JSON; - prints it instead of the report")
      ->type_name("FILE");
  takes_number(command.add_option("--top", arguments.top, "Print this many rows of each table"), 0, most_rows)
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--sort", arguments.sort,
                  "Sort the operators by this column; a wrong name lists the columns")
      ->type_name("KEY")
      ->capture_default_str();
  command
      .add_option("--only", arguments.only,
                  fmt::format("Print only these parts of the report: {}", join_or(report_parts())))
      ->type_name("PART[,PART]")
      ->delimiter(',')
      ->excludes(against)
      ->allow_extra_args(false);
  command.add_flag("--by-shape", arguments.by_shape, "Print one row for each operator and its input shapes");
  command.add_option("--steps", arguments.steps, "Judge only these steps: 17..20 or 17")->type_name("A..B");
  command.add_flag("--all-steps", arguments.all_steps,
                   "Judge every step, and include the last one in the device's figures");
  command.add_option("--phase", arguments.phase, "Judge only what runs in ranges of this name")
      ->type_name("NAME");
  command
      .add_option("--peaks", arguments.peaks,
                  "Take the device's peaks from this file: one of tuneproof prices, or a data sheet")
      ->type_name("FILE");
  command.add_option("--fail-on", arguments.fail_on, "Exit with code 2 if one of these findings appears")
      ->type_name("ID[,ID]")
      ->delimiter(',')
      ->allow_extra_args(false);
  takes_number(command.add_option("--max-unpacked", arguments.unpacked_mib,
                                  "Refuse traces that unpack to more MiB than this"),
               1, most_mib)
      ->type_name("MIB")
      ->capture_default_str();
  command.footer(fmt::format("{}\n\nResNet-50 on a V100, which loads its data in the training process:\n\n{}",
                             examples, example_diagnosis()));
}

}  // namespace harness::trace
