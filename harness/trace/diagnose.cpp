#include "harness/trace/diagnose.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/overwriting.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"
#include "harness/trace/diagnosis_text.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/worth.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness::trace {
namespace {

struct DiagnoseArguments {
  std::vector<std::string> traces;
  std::string against, json, sort = "self_cpu", steps, phase, peaks;
  std::vector<std::string> fail_on;
  std::vector<std::string> evidence;
  std::vector<std::string> only;  // names of report_parts(); empty: all
  std::size_t top = 10;
  bool all_steps = false;
  bool by_shape = false;
  std::uint64_t unpacked_mib = 2048;
};

constexpr int found_exit_code = 2;

/// "; ranks/ is a folder, which stands for the ranks of one run; its files: a.json, b.json, c.json and 4
/// more"; empty where no folder was given.
std::string files_of_folders(const std::vector<std::string>& traces) {
  constexpr std::size_t most_named = 3;
  std::string text;
  for (const auto& trace : traces) {
    if (!std::filesystem::is_directory(trace)) continue;
    std::vector<std::string> names;
    for (const auto& file : trace_files(trace)) names.push_back(file.string());
    const auto more = names.size() - std::min(names.size(), most_named);
    names.resize(names.size() - more);
    text += fmt::format("; {} is a folder, which stands for the ranks of one run; its files: {}{}", trace,
                        fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  }
  return text;
}

std::vector<std::filesystem::path> files_of(const std::vector<std::string>& traces) {
  std::vector<std::filesystem::path> files;
  for (const auto& trace : traces)
    for (auto& file : trace_files(trace)) files.push_back(std::move(file));
  return files;
}

void write_json(const nlohmann::ordered_json& json, const std::string& file) {
  const auto text =
      printable_json(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  if (file == "-") {
    fmt::print("{}\n", text);
    return;
  }
  ReplaceFile(file).write(text + "\n");
}

/// 2 where one of the findings was asked to fail the command.
int exit_code(const std::vector<Finding>& findings, const std::vector<std::string>& fail_on) {
  int code = 0;
  for (const auto& id : fail_on)
    if (std::ranges::find(findings, id, &Finding::id) != findings.end()) {
      tell(fmt::format("found {}, which --fail-on names", id));
      code = found_exit_code;
    }
  return code;
}

/// A prediction and a recording differ in more than in what was changed between them.
void require_same_kind(const Diagnosis& after, const Diagnosis& before) {
  if (after.simulated == before.simulated) return;
  const auto& simulated = after.simulated ? after : before;
  const auto& recorded = after.simulated ? before : after;
  throw BadInput(fmt::format("{} is simulated and {} was recorded; --against compares two of one kind",
                             simulated.file, recorded.file));
}

std::int64_t step_number(std::string_view text, std::string_view whole) {
  const auto number = parse_number<std::int64_t>(text);
  if (!number) throw BadInput(fmt::format("--steps {}: expected a step or a range like 17..20", whole));
  return *number;
}

/// `--steps 17..20`, `--all-steps`. Throws BadInput.
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

/// `--sort`. Throws BadInput, naming the columns.
OpKey sort_key(const std::string& word) {
  if (const auto key = op_key(word); key != nullptr) return key;
  throw BadInput(fmt::format("--sort {}: unknown column; expected one of {}", word, join_or(op_columns())));
}

/// `--fail-on`. Throws BadInput, naming near misses.
void check_ids(const std::vector<std::string>& ids) {
  std::vector<std::string> known;
  for (const auto& kind : finding_kinds()) known.emplace_back(kind.id);
  for (const auto& id : ids)
    if (finding_kind(id) == nullptr)
      throw BadInput(fmt::format("--fail-on {}: unknown finding (docs/diagnose.md lists them){}", id,
                                 did_you_mean(id, known)));
}

/// `--only`. Throws BadInput, naming the parts.
void check_parts(const std::vector<std::string>& parts) {
  const auto known = report_parts();
  for (const auto& part : parts)
    if (std::ranges::find(known, part) == known.end())
      throw BadInput(fmt::format("--only {}: unknown part; expected one of {}", part, join_or(known)));
}

/// Reads and judges one command line's traces.
class Run {
 public:
  Run(const DiagnoseArguments& arguments, const catalogue::Program& program)
      : arguments_(arguments),
        program_(program),
        showing_{arguments.top, sort_key(arguments.sort), arguments.only} {
    check_parts(arguments.only);
    check_ids(arguments.fail_on);
    worths_ = read_worths(arguments.evidence);
    question_ = {window_of(arguments), arguments.phase, arguments.by_shape, arguments.peaks};
  }

  int operator()() const {
    keep_inputs();
    std::vector<Diagnosis> diagnoses;
    const auto files = files_of(arguments_.traces);
    for (const auto& file : files) diagnoses.push_back(files.size() == 1 ? one(file) : one_of(file, files));
    if (!arguments_.against.empty()) return against(diagnoses);
    require_one_run(diagnoses);
    require_answer(diagnoses);
    const auto ranks = rank_summary(diagnoses);
    if (!arguments_.json.empty()) write_json(as_json(diagnoses), arguments_.json);
    if (arguments_.json != "-") print(diagnoses, ranks);
    auto findings = diagnoses.size() > 1 ? rank_findings(ranks) : std::vector<Finding>{};
    for (const auto& diagnosis : diagnoses)
      findings.insert(findings.end(), diagnosis.findings.begin(), diagnosis.findings.end());
    return exit_code(findings, arguments_.fail_on);
  }

 private:
  void require_one_run(const std::vector<Diagnosis>& diagnoses) const {
    try {
      require_ranks(diagnoses);
    } catch (const BadInput& error) {
      throw BadInput(error.what() + files_of_folders(arguments_.traces));
    }
  }

  void keep_inputs() const {
    std::vector<std::string> inputs;
    for (const auto& file : files_of(arguments_.traces)) inputs.push_back(file.string());
    refuse_overwriting("diagnose: --json " + arguments_.json, arguments_.json, inputs);
  }

  Diagnosis one(const std::filesystem::path& file) const {
    const ReadLimits limits{.unpacked_bytes = arguments_.unpacked_mib << 20};
    return diagnose(read_trace(file, limits), question_, catalogue::has_step(program_));
  }

  /// The first that is wrong is named, and how many were right before it.
  Diagnosis one_of(const std::filesystem::path& file, const std::vector<std::filesystem::path>& files) const {
    try {
      return one(file);
    } catch (const BadInput& error) {
      const auto before = std::ranges::find(files, file) - files.begin();
      throw BadInput(fmt::format(
          "{}; the {} before it can be read, {} after it were not tried; each can be given "
          "alone{}",
          error.what(), before, std::ssize(files) - before - 1, files_of_folders(arguments_.traces)));
    }
  }

  nlohmann::ordered_json as_json(const std::vector<Diagnosis>& diagnoses) const {
    auto json = diagnosis_json(diagnoses);
    if (arguments_.evidence.empty()) return json;
    json["worth"] = worth_json(diagnoses, worths_);
    return json;
  }

  /// A check that looks at nothing would always pass.
  void require_answer(const std::vector<Diagnosis>& diagnoses) const {
    for (const auto& diagnosis : diagnoses)
      for (const auto& id : arguments_.fail_on)
        if (!diagnosis.judged() || !finding_kind(id)->in(diagnosis.host_judged))
          throw BadInput(fmt::format("{}: this trace has {}, so --fail-on {} has no answer", diagnosis.file,
                                     diagnosis.device_activity ? "device events" : "no device events", id));
  }

  int against(const std::vector<Diagnosis>& diagnoses) const {
    const auto files = trace_files(arguments_.against);
    if (diagnoses.size() != 1 || files.size() != 1)
      throw BadInput("--against compares two traces; give one file on each side");
    require_answer(diagnoses);
    const auto before = one(files.front());
    require_same_kind(diagnoses.front(), before);
    const auto changes = compare(diagnoses.front(), before);
    if (!arguments_.json.empty())
      write_json(changes_json(changes, diagnoses.front(), before), arguments_.json);
    if (arguments_.json != "-")
      fmt::print("{}", changes_text(changes, diagnoses.front(), before, showing_, style_of(stdout)));
    return exit_code(diagnoses.front().findings, arguments_.fail_on);
  }

  void print(const std::vector<Diagnosis>& diagnoses, const RankSummary& ranks) const {
    const auto style = style_of(stdout);
    if (diagnoses.size() > 1) {
      const auto findings = rank_findings(ranks);
      fmt::print("{}", ranks_section(ranks, common_verdict(diagnoses), style));
      if (!findings.empty()) fmt::print("{}", findings_section(findings, diagnoses.front(), style));
    }
    for (std::size_t i = 0; i < diagnoses.size(); ++i)
      fmt::print("{}{}", i > 0 || diagnoses.size() > 1 ? "\n" : "",
                 diagnosis_text(diagnoses[i], showing_, style));
    if (arguments_.evidence.empty()) return;
    for (const auto& diagnosis : diagnoses)
      fmt::print("{}", worth_section(diagnosis, worths_, program_.catalogue, style));
  }

  const DiagnoseArguments& arguments_;
  const catalogue::Program& program_;
  Showing showing_;
  DiagnosisQuestion question_;
  std::vector<Worth> worths_;
};

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

void declare(CLI::App& command, DiagnoseArguments& arguments) {
  command
      .add_option("TRACE", arguments.traces,
                  "Trace files (.json, .json.gz), a folder of ranks, or - for standard input")
      ->required();
  auto* against = command.add_option("--against", arguments.against,
                                     "Compare with this trace: show what vanished and what grew");
  against->type_name("TRACE");
  add_value(command, "--evidence", arguments.evidence, "PATH",
            "Show what the tips were worth in these results files, or folders of them");
  add_value(command, "--json", arguments.json, "FILE",
            "Write the diagnosis as JSON; - prints it instead of the report");
  takes_number(command.add_option("--top", arguments.top, "Print this many rows of each table"), 0, most_rows)
      ->type_name("N")
      ->capture_default_str();
  add_value(command, "--sort", arguments.sort, "KEY",
            "Sort the operators by this column; a wrong name lists the columns")
      ->capture_default_str();
  add_value(command, "--only", arguments.only, "PART[,PART]",
            fmt::format("Print only these parts of the report: {}", join_or(report_parts())))
      ->delimiter(',')
      ->excludes(against);
  command.add_flag("--by-shape", arguments.by_shape, "Print one row for each operator and its input shapes");
  add_value(command, "--steps", arguments.steps, "A..B", "Judge only these steps: 17..20 or 17");
  command.add_flag("--all-steps", arguments.all_steps,
                   "Judge every step, and include the last one in the device's figures");
  add_value(command, "--phase", arguments.phase, "NAME", "Judge only what runs in ranges of this name");
  add_value(command, "--peaks", arguments.peaks, "FILE",
            "Take the device's peaks from this file: one of tuneproof prices, or a data sheet");
  add_value(command, "--fail-on", arguments.fail_on, "ID[,ID]",
            "Exit with code 2 if one of these findings appears")
      ->delimiter(',');
  takes_number(command.add_option("--max-unpacked", arguments.unpacked_mib,
                                  "Refuse traces that unpack to more MiB than this"),
               1, most_mib)
      ->type_name("MIB")
      ->capture_default_str();
  command.footer(fmt::format("{}\n\nResNet-50 on a V100, which loads its data in the training process:\n\n{}",
                             examples, example_diagnosis()));
}

}  // namespace

void add_diagnose(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<DiagnoseArguments>();
  auto* command = app.add_subcommand("diagnose", "Find what limits a run, from any PyTorch profiler trace");
  declare(*command, *arguments);
  catalogue::choose_by(*command, chosen, [arguments, &program] { return Run(*arguments, program)(); });
}

}  // namespace harness::trace
