#include "harness/trace/worth.hpp"

#include "harness/machine/host.hpp"
#include "harness/results/results.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/read_text.hpp"
#include "harness/trace/intern.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::trace {
namespace {

double percent(double ratio) { return 100 * (ratio - 1); }

bool decided(const Worth& worth) { return is_decided(worth.verdict); }

/// The step's rows on what the trace is of, the smallest ratio first; those that could tell, where any could.
std::vector<Worth> rows_of(std::string_view step, bool on_device, std::span<const Worth> worths) {
  std::vector<Worth> rows;
  for (const auto& worth : worths)
    if (worth.step == step && worth.on_device == on_device) rows.push_back(worth);
  if (std::ranges::any_of(rows, decided))
    std::erase_if(rows, [](const Worth& worth) { return !decided(worth); });
  std::ranges::sort(rows, {}, &Worth::ratio);
  return rows;
}

/// What the tip would make of the time that the finding is about.
std::string scaled_text(const Worth& worth, double us) {
  if (worth.verdict == Verdict::hurts) return "it hurts here";
  if (worth.verdict == Verdict::no_effect) return "no effect here";
  if (worth.verdict != Verdict::helps) return "cannot tell here";
  if (us <= 0) return "it helps here";
  return fmt::format("of {} about {}", us_text(us), us_text((1 - worth.ratio) * us));
}

/// Else a measurement tells nothing new of the program.
bool saves_something(const Finding& finding) {
  return finding.saves_us > 0 || finding.severity >= Severity::medium;
}

const Worth& middle_of(const std::vector<Worth>& rows) { return rows[(rows.size() - 1) / 2]; }

/// What the finding is about, in one step or in all.
double us_of(const Finding& finding, const Diagnosis& diagnosis) {
  return finding.saves_us / std::max<double>(1, static_cast<double>(diagnosis.judged_steps));
}

/// The measured row that resembles the program most, and how; the middle one where none is known to.
struct Shown {
  const Worth* worth;
  std::optional<Resemblance> alike = {};
};

Shown shown_of(const std::vector<Worth>& rows, const Diagnosis& diagnosis,
               const catalogue::Catalogue& catalogue) {
  Shown shown{&middle_of(rows)};
  const auto step = std::ranges::find(catalogue.steps, rows.front().step, &catalogue::Step::id);
  if (step == catalogue.steps.end()) return shown;
  for (const auto& worth : rows) {
    const auto row = std::ranges::find(step->rows, worth.row, &catalogue::Row::name);
    if (row == step->rows.end()) continue;
    auto alike = resemblance(*step, *row, diagnosis.program);
    if (alike && (!shown.alike || alike->distance < shown.alike->distance))
      shown = {&worth, std::move(alike)};
  }
  return shown;
}

std::string line_of(const std::vector<Worth>& rows, double us, const Shown& shown, const Style& style) {
  const auto& middle = *shown.worth;
  auto spread = rows.size() == 1 ? std::string()
                                 : fmt::format("; {} {} rows, {:+.1f} to {:+.1f} %",
                                               shown.alike ? "one of" : "the middle of", rows.size(),
                                               percent(rows.front().ratio), percent(rows.back().ratio));
  if (shown.alike) spread += "; of these it resembles this program: " + shown.alike->words;
  return flowing("",
                 fmt::format("{}: {} {} on {}: {}{}", middle.row, change_text(middle.ratio, middle.interval),
                             middle.other_machine ? "ON ANOTHER MACHINE" : "here",
                             middle.started.substr(0, 10), scaled_text(middle, us), spread),
                 2, style);
}

/// False where the step has no row on what the trace is of: it needs a GPU.
bool runs_on(std::string_view id, bool on_device, const catalogue::Catalogue& catalogue) {
  const auto kind = on_device ? Device::Kind::cuda : Device::Kind::cpu;
  const auto step = std::ranges::find(catalogue.steps, id, &catalogue::Step::id);
  return step != catalogue.steps.end() &&
         std::ranges::find(step->rows, kind, &catalogue::Row::device) != step->rows.end();
}

/// A device's session measures the host's rows too.
double seconds_of(const std::vector<std::string>& steps, bool on_device,
                  const catalogue::Catalogue& catalogue) {
  double seconds = 0;
  for (const auto& step : catalogue.steps)
    if (std::ranges::find(steps, step.id) != steps.end())
      for (const auto& row : step.rows)
        if (row.full && (on_device || row.device == Device::Kind::cpu)) seconds += row.seconds;
  return seconds;
}

std::string command_text(const std::vector<std::string>& steps, bool on_device,
                         const catalogue::Catalogue& catalogue) {
  std::string names;
  for (const auto& step : steps) names += " " + step;
  return fmt::format("  not measured here: `tuneproof run{} --json FILE`, about {:.0f} s\n", names,
                     seconds_of(steps, on_device, catalogue));
}

std::string finding_text(const Finding& finding, const Diagnosis& diagnosis, std::span<const Worth> worths,
                         const catalogue::Catalogue& catalogue, const Style& style) {
  std::string text = fmt::format("{} ({})\n", finding.id, diagnosis.judged_steps > 0 ? "a step" : "in all");
  std::vector<std::string> unknown;
  for (const auto& step : finding.steps) {
    const auto rows = rows_of(step, diagnosis.device_activity, worths);
    if (!rows.empty())
      text += line_of(rows, us_of(finding, diagnosis), shown_of(rows, diagnosis, catalogue), style);
    else if (runs_on(step, diagnosis.device_activity, catalogue))
      unknown.push_back(step);
  }
  return unknown.empty() ? text : text + command_text(unknown, diagnosis.device_activity, catalogue);
}

nlohmann::ordered_json worth_of(const Finding& finding, const std::string& step, const Worth& middle,
                                double us) {
  const bool helps = middle.verdict == Verdict::helps && finding.saves_us > 0;
  return {{"finding", finding.id},
          {"step", step},
          {"row", middle.row},
          {"verdict", to_string(middle.verdict)},
          {"ratio", middle.ratio},
          {"ratio_ci", {middle.interval.low, middle.interval.high}},
          {"measured", middle.started},
          {"on_another_machine", middle.other_machine},
          {"saves_us_a_step",
           helps ? nlohmann::ordered_json((1 - middle.ratio) * us) : nlohmann::ordered_json(nullptr)}};
}

}  // namespace

std::string worth_section(const Diagnosis& diagnosis, std::span<const Worth> worths,
                          const catalogue::Catalogue& catalogue, const Style& style) {
  std::string text;
  for (const auto& finding : diagnosis.findings)
    if (!finding.steps.empty()) text += finding_text(finding, diagnosis, worths, catalogue, style);
  return text.empty() ? text : "\nWORTH HERE\n" + text;
}

nlohmann::ordered_json worth_json(std::span<const Diagnosis> diagnoses, std::span<const Worth> worths) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& diagnosis : diagnoses)
    for (const auto& finding : diagnosis.findings)
      for (const auto& step : finding.steps)
        if (const auto rows = rows_of(step, diagnosis.device_activity, worths); !rows.empty())
          all.push_back(worth_of(finding, step, middle_of(rows), us_of(finding, diagnosis)));
  return all;
}

std::vector<std::string> steps_without_worth(const Diagnosis& diagnosis, std::span<const Worth> worths,
                                             const catalogue::Catalogue& catalogue) {
  std::vector<std::string> steps;
  for (const auto& finding : diagnosis.findings)
    for (const auto& step : finding.steps)
      if (saves_something(finding) && rows_of(step, diagnosis.device_activity, worths).empty() &&
          runs_on(step, diagnosis.device_activity, catalogue) &&
          std::ranges::find(steps, step) == steps.end())
        steps.push_back(step);
  return steps;
}

namespace {

/// What the program has on that axis; nothing where it is not known or means something else there.
std::optional<std::int64_t> size_of(const catalogue::Axis& axis, const ProgramFacts& program) {
  const auto about = [&](std::string_view word) { return axis.about.find(word) != axis.about.npos; };
  if (axis.name == "workers" && program.loader) return program.loader->workers;
  if (axis.name == "batch" && (about("samples") || about("rows"))) {
    if (program.loader && program.loader->batch > 0) return program.loader->batch;
    if (program.rows > 0) return program.rows;
  }
  if (axis.name == "tensors" && program.parameters > 0) return program.parameters;
  if (axis.name == "numel" && program.parameters > 0) return program.numel;
  return std::nullopt;
}

double doublings(std::int64_t one, std::int64_t other) {
  return std::abs(std::log2(static_cast<double>(one + 1) / static_cast<double>(other + 1)));
}

}  // namespace

std::optional<Resemblance> resemblance(const catalogue::Step& step, const catalogue::Row& row,
                                       const ProgramFacts& program) {
  Resemblance result;
  for (const auto& at : row.at) {
    const auto axis = std::ranges::find(step.axes, at.axis, &catalogue::Axis::name);
    const auto here = axis == step.axes.end() ? std::nullopt : size_of(*axis, program);
    if (!here) continue;
    result.distance += doublings(at.value, *here);
    result.words +=
        fmt::format("{}{} {} (here {})", result.words.empty() ? "" : ", ", at.axis, at.text, *here);
  }
  return result.words.empty() ? std::nullopt : std::optional(std::move(result));
}

const catalogue::Row* most_alike(const catalogue::Step& step, Device::Kind device,
                                 const ProgramFacts& program) {
  const catalogue::Row* best = nullptr;
  const auto distance = [&](const catalogue::Row& row) {
    const auto alike = resemblance(step, row, program);
    return alike ? alike->distance : row.quick ? 0 : 1;
  };
  for (const auto& row : step.rows)
    if (row.device == device && row.full && (best == nullptr || distance(row) < distance(*best))) best = &row;
  return best;
}

namespace {

namespace fs = std::filesystem;

bool is_of_another_machine(const results::Results& results) {
  const Field hard(results.fingerprint.hard, results.file + ": fingerprint.hard");
  const auto machine = hard["machine"];
  const auto host = read_host();
  return machine["cpu_model"].text() != host.cpu_model ||
         machine["logical_cpus"].integer() != host.logical_cpus;
}

void add_rows(const fs::path& file, std::map<std::string, Worth>& last) {
  const auto results = results::read_results(file);
  const bool other = is_of_another_machine(results);
  for (const auto& row : results.rows) {
    if (results::is_error(row) || row.judged.ratio <= 0) continue;
    auto& known = last[row.name];
    if (known.started > results.session.started) continue;
    known = {.row = row.name,
             .step = row.step,
             .started = printable(results.session.started),
             .on_device = row.device.is_cuda(),
             .other_machine = other,
             .verdict = row.judged.verdict,
             .ratio = row.judged.ratio,
             .interval = row.judged.ratio_interval.value_or(Interval{row.judged.ratio, row.judged.ratio})};
  }
}

/// Prices and self-tests may lie beside results: what is none is passed over.
void add_folder(const fs::path& folder, std::map<std::string, Worth>& last) {
  bool any = false;
  for (const auto& file : files_in(folder, is_json_name)) {
    try {
      add_rows(file, last);
      any = true;
    } catch (const BadInput&) {
      continue;
    }
  }
  if (!any) throw BadInput(fmt::format("--evidence {}: this folder holds no results file", folder.string()));
}

}  // namespace

std::vector<Worth> read_worths(const std::vector<std::string>& paths) {
  std::map<std::string, Worth> last;
  for (const auto& path : paths)
    if (fs::is_directory(path))
      add_folder(path, last);
    else
      add_rows(path, last);
  std::vector<Worth> all;
  for (auto& [name, worth] : last) all.push_back(std::move(worth));
  return all;
}

}  // namespace harness::trace
