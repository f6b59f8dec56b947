#include "harness/cli/diagnose.hpp"

#include "harness/cli/near_miss.hpp"
#include "harness/report/diagnosis.hpp"
#include "harness/report/terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <memory>

namespace harness {
namespace {

constexpr int found_exit_code = 2;

constexpr auto examples =
    "The verdict is one of input-bound, overhead/sync-bound, communication-bound, memory-bound and\n"
    "compute-bound; docs/diagnose.md explains each threshold.\n"
    "\n"
    "Examples:\n"
    "  tuneproof diagnose trace.pt.trace.json.gz\n"
    "  tuneproof diagnose ranks/                              a folder: one trace per rank\n"
    "  tuneproof diagnose after.json.gz --against before.json.gz\n"
    "  tuneproof diagnose trace.json --sort self_cuda --top 30 --steps 12..15\n"
    "  tuneproof diagnose trace.json --fail-on item_sync,data_loader_wait --json -";

struct Arguments {
  std::vector<std::string> traces;
  std::string against, json, sort = "self_cpu", steps, phase;
  std::vector<std::string> fail_on;
  std::size_t top = 10;
  bool all_steps = false;
  std::uint64_t unpacked_mib = 4096;
};

std::vector<std::filesystem::path> files_of(const std::vector<std::string>& traces) {
  std::vector<std::filesystem::path> files;
  for (const auto& trace : traces)
    for (auto& file : trace_files(trace)) files.push_back(std::move(file));
  return files;
}

std::int64_t step_number(std::string_view text, std::string_view whole) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size())
    throw BadInput(fmt::format("--steps {}: a step or a range like 17..20 is expected", whole));
  return number;
}

WindowChoice window_of(const Arguments& arguments) {
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
  const std::vector<std::string> known{"name",        "calls",     "self_cpu",   "cpu_total",
                                       "cpu_average", "self_cuda", "cuda_total", "cuda_average"};
  throw BadInput(
      fmt::format("--sort {}: there is no such column; one of {} is expected", word, join_or(known)));
}

void check_ids(const std::vector<std::string>& ids) {
  std::vector<std::string> known;
  for (const auto& kind : finding_kinds()) known.emplace_back(kind.id);
  for (const auto& id : ids)
    if (finding_kind(id) == nullptr)
      throw BadInput(fmt::format("--fail-on {}: there is no such finding{}", id, did_you_mean(id, known)));
}

void write_json(const nlohmann::ordered_json& json, const std::string& file) {
  const auto text = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  if (file == "-") {
    fmt::print("{}\n", text);
    return;
  }
  const auto partial = file + ".partial";
  std::ofstream out(partial, std::ios::binary);
  out << text << "\n";
  out.close();
  if (!out) throw BadInput(fmt::format("{} could not be written", partial));
  std::filesystem::rename(partial, file);
}

/// 2 where one of the findings was asked to fail the command.
int exit_code(const std::vector<Finding>& findings, const std::vector<std::string>& fail_on) {
  int code = 0;
  for (const auto& id : fail_on)
    if (std::ranges::find(findings, id, &Finding::id) != findings.end()) {
      fmt::print(stderr, "tuneproof: found {}, named by --fail-on\n", id);
      code = found_exit_code;
    }
  return code;
}

/// Reads and judges one command line's traces.
class Run {
 public:
  Run(const Arguments& arguments, const Program& program)
      : arguments_(arguments), program_(program), showing_{arguments.top, sort_key(arguments.sort)} {
    check_ids(arguments.fail_on);
    question_ = {window_of(arguments), arguments.phase};
  }

  int operator()() const {
    std::vector<Diagnosis> diagnoses;
    for (const auto& file : files_of(arguments_.traces)) diagnoses.push_back(one(file));
    if (!arguments_.against.empty()) return against(diagnoses);
    const auto ranks = rank_summary(diagnoses);
    if (!arguments_.json.empty()) write_json(diagnosis_json(diagnoses), arguments_.json);
    if (arguments_.json != "-") print(diagnoses, ranks);
    auto findings = diagnoses.size() > 1 ? rank_findings(ranks) : std::vector<Finding>{};
    for (const auto& diagnosis : diagnoses)
      findings.insert(findings.end(), diagnosis.findings.begin(), diagnosis.findings.end());
    return exit_code(findings, arguments_.fail_on);
  }

 private:
  Diagnosis one(const std::filesystem::path& file) const {
    const Limits limits{.unpacked_bytes = arguments_.unpacked_mib << 20};
    return diagnose(read_trace(file, limits), question_, [this](std::string_view step) {
      return std::ranges::find(program_.catalogue.steps, step, &CatalogueStep::id) !=
             program_.catalogue.steps.end();
    });
  }

  int against(const std::vector<Diagnosis>& diagnoses) const {
    const auto files = trace_files(arguments_.against);
    if (diagnoses.size() != 1 || files.size() != 1)
      throw BadInput("--against compares one trace with one other; give one file on each side");
    const auto before = one(files.front());
    const auto changes = compare(diagnoses.front(), before);
    if (!arguments_.json.empty()) write_json(changes_json(changes), arguments_.json);
    if (arguments_.json != "-")
      fmt::print("{}", changes_text(changes, diagnoses.front(), before, showing_, style_of(stdout)));
    return exit_code(diagnoses.front().findings, arguments_.fail_on);
  }

  void print(const std::vector<Diagnosis>& diagnoses, const RankSummary& ranks) const {
    const auto style = style_of(stdout);
    if (diagnoses.size() > 1) {
      fmt::print("{}", ranks_section(ranks, style).substr(1));
      fmt::print("{}", findings_section(rank_findings(ranks), diagnoses.front(), style));
    }
    for (std::size_t i = 0; i < diagnoses.size(); ++i)
      fmt::print("{}{}", i > 0 || diagnoses.size() > 1 ? "\n" : "",
                 diagnosis_text(diagnoses[i], showing_, style));
  }

  const Arguments& arguments_;
  const Program& program_;
  Showing showing_;
  Question question_;
};

}  // namespace

void add_diagnose(CLI::App& app, const Program& program, Action& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("diagnose", "What bounds a run: reads any PyTorch profiler trace");
  command->add_option("TRACE", arguments->traces, "Trace files (.json, .json.gz) or folders of ranks")
      ->required();
  command
      ->add_option("--against", arguments->against, "The difference to this trace: what vanished, what grew")
      ->type_name("TRACE");
  command->add_option("--json", arguments->json, "The diagnosis as JSON; - writes it instead of the report")
      ->type_name("FILE");
  command->add_option("--top", arguments->top, "Rows of each table")->type_name("N")->capture_default_str();
  command
      ->add_option("--sort", arguments->sort,
                   "Column of the operators: name, calls, self_cpu, cpu_total, "
                   "cpu_average, self_cuda, cuda_total, cuda_average")
      ->type_name("KEY")
      ->capture_default_str();
  command->add_option("--steps", arguments->steps, "Only these steps, 17..20 or 17")->type_name("A..B");
  command->add_flag("--all-steps", arguments->all_steps,
                    "Judge every step, and include the last one in the device's figures");
  command->add_option("--phase", arguments->phase, "Only what runs in ranges of this name")
      ->type_name("NAME");
  command->add_option("--fail-on", arguments->fail_on, "Exit with 2 where one of these findings is made")
      ->type_name("ID[,ID]")
      ->delimiter(',');
  command
      ->add_option("--max-unpacked", arguments->unpacked_mib,
                   "Refuse traces that unpack to more MiB than this")
      ->type_name("MIB")
      ->capture_default_str();
  command->footer(examples);
  command->callback([arguments, &program, &chosen] {
    chosen = [arguments, &program] { return Run(*arguments, program)(); };
  });
}

}  // namespace harness
