#include "harness/programs/conclusion.hpp"

#include "harness/core/setup.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/pages/report.hpp"
#include "harness/pages/report_files.hpp"
#include "harness/programs/announcer.hpp"
#include "harness/programs/next_commands.hpp"
#include "harness/support/child.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/scratch_folder.hpp"
#include "harness/support/spawn.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/trace/diagnosis_text.hpp"
#include "harness/trace/foreign.hpp"

#include <fmt/format.h>

namespace harness::programs {
namespace {

// What is said of a recording before its report.

namespace fs = std::filesystem;

/// The trace of ours in that file; nullptr where there is none.
const KeptTrace* kept_trace(const Notes& notes, const fs::path& file) {
  const auto found = std::ranges::find(notes.traces, file, &KeptTrace::file);
  return found == notes.traces.end() ? nullptr : &*found;
}

/// A sentence of ours, which the terminal would break within words.
std::string remark(const std::string& sentence, const Style& style) {
  constexpr std::string_view lead = "tuneproof:";
  return indented(lead, sentence, static_cast<int>(lead.size()) + 1, style);
}

std::string others_text(const Notes& notes, std::size_t diagnosed) {
  if (notes.traces.size() <= diagnosed) return "";
  return fmt::format("{} traces in all lie in {}; this is the diagnosis of the last", notes.traces.size(),
                     notes.traces.front().file.parent_path().string());
}

std::string early_text(const Notes& notes, const fs::path& file) {
  const auto* trace = kept_trace(notes, file);
  if (trace == nullptr || !trace->early) return "";
  const auto steps = notes.most_steps ? fmt::format(" after {} steps", *notes.most_steps) : std::string();
  return fmt::format(
      "the program ended{}, before step times had settled: this is the diagnosis of {}, which may still hold "
      "its start",
      steps, steps_text(trace->first, trace->steps));
}

/// Lines about other traces, and a program that ended early.
std::string remarks(const Notes& notes, const std::vector<fs::path>& diagnosed, const Style& style) {
  std::string text;
  for (const auto& sentence : {others_text(notes, diagnosed.size()), early_text(notes, diagnosed.front())})
    if (!sentence.empty()) text += remark(sentence, style);
  return text;
}

// `watch --measure`: the tips that the findings name, measured once the program has ended.

Device::Kind kind_of(const trace::Diagnosis& diagnosis) {
  return diagnosis.device_activity ? Device::Kind::cuda : Device::Kind::cpu;
}

/// Runs `tuneproof run` for that time on these rows; its table goes to standard error, for standard output is
/// the program's. Returns the results file, in that folder. Throws BadInput where it left none.
std::filesystem::path measure_tips(const catalogue::Program& program, const std::vector<std::string>& rows,
                                   Device::Kind device, const std::string& within,
                                   const std::filesystem::path& folder) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  auto file = folder / fmt::format("tips.{}.json", milliseconds);
  const NewFolders folders(folder);  // without a trace of ours there is none
  std::vector<std::string> words{"run"};
  words.insert(words.end(), rows.begin(), rows.end());
  words.insert(words.end(), {"--device", device == Device::Kind::cuda ? "auto" : "cpu", "--budget", within,
                             "--json", file.string()});
  // Standard output may be somebody's.
  wait_for_end(
      spawn(again(program.self, std::move(words)), {.descriptors = {{STDOUT_FILENO, STDERR_FILENO}}}));
  if (!std::filesystem::exists(file)) throw BadInput("--measure: the tips could not be measured");
  return file;
}

std::string report_text(const std::vector<trace::Diagnosis>& diagnoses, const Style& style) {
  std::string text;
  if (diagnoses.size() > 1) {
    trace::require_ranks(diagnoses);
    const auto ranks = trace::rank_summary(diagnoses);
    text += trace::ranks_section(ranks, trace::common_verdict(diagnoses), style) + "\n";
  }
  return text + trace::diagnosis_text(diagnoses.front(), {}, style);
}

}  // namespace

std::string promises_text(const trace::Diagnosis& before, const trace::Diagnosis& after, const Style& style) {
  const auto a_step = [](const trace::Finding& finding, const trace::Diagnosis& diagnosis) {
    return us_text(finding.saves_us / std::max<double>(1, static_cast<double>(diagnosis.judged_steps)));
  };
  std::string text;
  for (const auto& finding : before.findings) {
    if (finding.saves_us <= 0) continue;
    const auto now = std::ranges::find(after.findings, finding.id, &trace::Finding::id);
    text += flowing("",
                    fmt::format("{} had promised at most {} a step: {}", finding.id, a_step(finding, before),
                                now == after.findings.end()
                                    ? "it is gone"
                                    : fmt::format("it is still found, with {}", a_step(*now, after))),
                    2, style);
  }
  return text.empty() ? text : "PROMISED\n" + text;
}

std::vector<std::string> rows_within(const catalogue::Catalogue& catalogue,
                                     std::span<const std::string> steps, const trace::Diagnosis& diagnosis,
                                     std::chrono::duration<double> within) {
  std::vector<std::string> rows;
  double for_packages = within.count() / 2;
  for (const auto& id : steps) {
    const auto step = std::ranges::find(catalogue.steps, id, &catalogue::Step::id);
    const auto* row = trace::most_alike(*step, kind_of(diagnosis), diagnosis.program);
    if (row == nullptr || row->package_seconds > for_packages) continue;
    for_packages -= row->package_seconds;
    rows.push_back(row->name);
  }
  return rows;
}

std::vector<fs::path> traces_to_diagnose(const Notes& notes) {
  if (notes.traces.empty()) {
    for (auto file = notes.their_traces.rbegin(); file != notes.their_traces.rend(); ++file)
      if (std::error_code gone; fs::is_regular_file(*file, gone)) return {*file};  // a pipe has been read
    return {};
  }
  if (notes.traces.back().ranks <= 1) return {notes.traces.back().file};
  std::map<std::int64_t, fs::path> by_rank;
  for (const auto& trace : notes.traces)
    if (trace.ranks == notes.traces.back().ranks) by_rank[trace.rank] = trace.file;
  std::vector<fs::path> files;
  for (const auto& [rank, file] : by_rank) files.push_back(file);
  return files;
}

std::string why_no_trace(const Notes& notes) {
  if (!notes.problems.empty()) return "nothing was recorded: " + notes.problems.front();
  if (notes.theirs)
    return "nothing was recorded: the program has a profiler of its own, and two do not run at once; give "
           "the trace "
           "that it writes to `tuneproof diagnose`";
  if (!notes.torch)
    return "nothing was recorded: no Python imported torch, or it ignores our PYTHONPATH: python -I, -E and "
           "-S do, and so does a command that sets it (set it before tuneproof)";
  if (!notes.stepped && notes.passed_over)
    return "nothing was recorded: a DataLoader gave batches or a backward pass ended, but the program has "
           "made an optimizer, so that a step ends only where one steps, and none did; if none ever will, "
           "leave the optimizer out";
  if (!notes.stepped)
    return "nothing was recorded: no step was seen. One ends where an optimizer of torch.optim has stepped; "
           "without any where a DataLoader gives a batch, or else after backward() or "
           "torch.autograd.grad(). "
           "Of a program that has none of these, give a trace of torch.profiler to `tuneproof diagnose`";
  if (!notes.most_steps)
    return "nothing was recorded: a signal, a crash or os._exit ended the program before a recording was "
           "whole";
  const auto steps = *notes.most_steps > 0 ? fmt::format(" after {} step{}", *notes.most_steps,
                                                         *notes.most_steps > 1 ? "s" : "")
                                           : "";
  constexpr std::int64_t earliest = 3;
  return fmt::format(
      "nothing was recorded: the program ended{} before one step was recorded whole; {}", steps,
      *notes.most_steps >= earliest ? "run it again with --skip 2 --steps 1, which records the third step"
                                    : "with --skip 2 --steps 1 three steps are enough: let it run for so "
                                      "many, or make its steps shorter "
                                      "(LBFGS steps once for all its iterations: max_iter)");
}

fs::path earlier_trace(const std::string& against) {
  const auto files = trace::trace_files(against);
  return *std::ranges::max_element(files, {}, [](const fs::path& file) { return fs::last_write_time(file); });
}

Conclusion::Conclusion(const WatchArguments& arguments, const WatchedCommand& command,
                       const catalogue::Program& program)
    : arguments_(arguments), command_(command), program_(program) {
  for (const auto& file : {arguments.json, arguments.html})
    if (!file.empty()) ReplaceFile{file};
  worths_ = trace::read_worths(arguments.evidence);
  if (!arguments.against.empty()) before_ = diagnosis_of(earlier_trace(arguments.against), {});
}

trace::Diagnosis Conclusion::diagnosis_of(const fs::path& file, const Notes& notes) const {
  auto trace = trace::read_trace(file);
  trace::refuse_simulated(trace, "watch");
  // At its end the program had seen more epochs than when it was recorded, and more steps.
  if (const auto* ours = kept_trace(notes, file); ours != nullptr) {
    if (const auto epochs = notes.epochs.find(ours->process); epochs != notes.epochs.end())
      trace.program.epochs = epochs->second;
    if (const auto pace = notes.paces.find({ours->process, ours->first}); pace != notes.paces.end())
      trace.program.pace = pace->second;
  }
  return trace::diagnose(trace, {}, catalogue::has_step(program_));
}

void Conclusion::write_files(const std::vector<trace::Diagnosis>& diagnoses,
                             std::span<const trace::Worth> worths) const {
  const bool with_worth = arguments_.measure || !arguments_.evidence.empty();
  const auto worth = with_worth ? trace::worth_json(diagnoses, worths) : Json();
  if (!arguments_.json.empty()) {
    auto json = trace::diagnosis_json(diagnoses);
    if (with_worth) json["worth"] = worth;
    ReplaceFile(arguments_.json)
        .write(printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n");
  }
  if (arguments_.html.empty()) return;
  const auto& build = build_info();
  auto data = pages::diagnosis_data(diagnoses);
  if (with_worth) data["worth"] = worth;
  const pages::Report report{.traces = {std::move(data)},
                             .program = fmt::format("{} ({})", build.version, build.commit)};
  ReplaceFile(arguments_.html).write(pages::page_html(pages::report_data(report)));
}

void Conclusion::say(const Notes& notes) const {
  for (std::size_t i = notes.traces.empty() ? 1 : 0; i < notes.problems.size(); ++i) tell(notes.problems[i]);
  const auto files = traces_to_diagnose(notes);
  if (files.empty()) {
    tell(why_no_trace(notes));
    return;
  }
  if (notes.traces.empty()) tell("the program has a profiler of its own: this is its trace");
  std::vector<trace::Diagnosis> diagnoses;
  for (const auto& file : files) diagnoses.push_back(diagnosis_of(file, notes));
  const auto style = style_of(stderr);
  tell_lines(fmt::format("{}\n{}", remarks(notes, files, style), report_text(diagnoses, style)));
  if (before_ && diagnoses.size() == 1)
    tell_lines(fmt::format(
        "\n{}\n{}",
        changes_text(trace::compare(diagnoses.front(), *before_), diagnoses.front(), *before_, {}, style),
        promises_text(*before_, diagnoses.front(), style)));
  auto worths = worths_;
  write_files(diagnoses, worths);  // before the measurement, which may be interrupted
  if (const auto more = measured(diagnoses.front()); !more.empty()) {
    worths.insert(worths.end(), more.begin(), more.end());
    write_files(diagnoses, worths);
  }
  if (arguments_.measure || !arguments_.evidence.empty())
    tell_lines(trace::worth_section(diagnoses.front(), worths, program_.catalogue, style));
  tell_lines(fmt::format("\n{}", next_commands(diagnoses, command_)));
}

std::vector<trace::Worth> Conclusion::measured(const trace::Diagnosis& diagnosis) const {
  const auto steps = trace::steps_without_worth(diagnosis, worths_, program_.catalogue);
  if (!arguments_.measure || steps.empty()) return {};
  const auto rows =
      rows_within(program_.catalogue, steps, diagnosis, parse_duration(arguments_.within, "--within").time);
  const auto style = style_of(stderr);
  if (rows.size() < steps.size())
    tell_lines("\n" +
               remark(fmt::format("leaves {} of {} tips out: making torch's packages for them may take "
                                  "too much of {}; --within gives more",
                                  steps.size() - rows.size(), steps.size(), arguments_.within),
                      style));
  if (rows.empty()) return {};
  tell_lines("\n" + remark(fmt::format("measures of each tip the row that resembles this program, within {}",
                                       arguments_.within),
                           style));
  const auto file = measure_tips(program_, rows, kind_of(diagnosis), arguments_.within, arguments_.out);
  return trace::read_worths({file.string()});
}

}  // namespace harness::programs
