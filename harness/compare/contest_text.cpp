#include "harness/compare/contest_text.hpp"

#include "harness/compare/comparison_text.hpp"
#include "harness/compare/run_file.hpp"
#include "harness/core/counts.hpp"
#include "harness/results/row_json.hpp"
#include "harness/run/row_view.hpp"
#include "harness/run/table_row.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace harness::compare {
namespace {

constexpr std::size_t contest_name_width = 32;
constexpr int time_width = 8, count_width = 15;  // "1,234,567,890"
constexpr int contest_major = 1, contest_minor = 2;

std::string ratio_change(const Judgement& judged) { return change_text(judged.ratio, judged.ratio_interval); }

bool has_one_form(const ContestRow& row) { return run::has_one_form(row.row); }

Ink ink_of(const ContestRow& row) {
  if (row.confirmed || !row.increases.empty() || row.row.judged.verdict == Verdict::failed) return Ink::red;
  if (unsettled(row)) return Ink::yellow;
  if (row.row.judged.verdict == Verdict::helps) return Ink::green;
  return row.row.judged.verdict == Verdict::no_effect ? Ink::plain : Ink::yellow;
}

std::string repetition(const ContestRow& row) {
  if (!row.again) return "stopped before the row was measured again";
  const auto margin = fmt::format("margin {:.2g} %", 100 * row.row.delta);
  const auto again = fmt::format("{}; {}", ratio_change(*row.again), margin);
  if (row.confirmed) return "again " + again;
  if (withdrawn(*row.again, row.row.delta))
    return "in a fresh session what disturbed the machine could have made it: " + again;
  if (unsettled(row)) return "a fresh session could not tell: " + again;
  return "a fresh session refutes it: " + again;
}

/// Why a row that looks slower was not measured again.
std::string why_no_failure(const ContestRow& row) {
  if (withdrawn(row.row.judged, row.row.delta))
    return "beyond its margin, but what disturbed the machine could have made it; --count instructions tells";
  if (row.leaning)
    return fmt::format(
        "its middle lies beyond its margin of {:.2g} %, its interval does not; --looks 3 takes more "
        "rounds",
        100 * row.row.delta);
  return fmt::format("beyond its margin, but not beyond chance among so many rows (p {:.2g})", row.p);
}

/// What the first side did: where both sides moved, the step's own change is not what is seen.
std::string control_note(const ContestRow& row) {
  if (!is_change(row.row.judged.verdict)) return {};
  if (has_one_form(row)) return "the fixed work beside it: " + ratio_change(row.control);
  if (row.control.verdict == row.row.judged.verdict)
    return fmt::format("the first side moved too, {}, so the cause is code that both share, or the build",
                       ratio_change(row.control));
  return fmt::format("the first side: {}", ratio_change(row.control));
}

/// BASE, HEAD and the change: of the time, HEAD's being BASE's times the ratio; or of the instructions.
std::array<std::string, 3> cells_of(const ContestRow& row) {
  const auto& judged = row.row.judged;
  if (const auto base = row.base_seconds(); base > 0)
    return {run::judged_text(row.row, base), run::judged_text(row.row, base * judged.ratio),
            ratio_change(judged)};
  if (!row.instructions) return {};
  const auto base = row.instructions->naive, head = row.instructions->optimized;
  return {counted_text(base), counted_text(head), change_text(head / base, {})};
}

/// `cells`: of BASE and HEAD, so wide; the change; the least one that could have been shown; the verdict.
std::string contest_line(const std::string& name, const std::array<std::string, 5>& cells, int width,
                         const Style& style) {
  constexpr int narrow = 100;
  if (style.columns < narrow) return stacked(name, cells, style);
  const auto gap = name.size() > contest_name_width ? "\n" + std::string(2 + contest_name_width, ' ')
                                                    : std::string(contest_name_width - name.size(), ' ');
  return fmt::format("  {}{} {:>{}} {:>{}}  {:<23} {:>6} {}\n", name, gap, cells[0], width, cells[1], width,
                     cells[2], cells[3], cells[4]);
}

std::string row_text(const ContestRow& row, const Style& style) {
  const auto& judged = row.row.judged;
  const auto [base, head, change] = cells_of(row);
  auto out =
      contest_line(row.row.name,
                   {base, head, change, judged.ratio_interval ? effect_text(judged.smallest_effect) : "",
                    inked(contest_word(row), ink_of(row), style)},
                   row.instructions ? count_width : time_width, style);
  if (const auto note = contest_note(row); !note.empty()) {
    const auto below = indented("    ", note, 4, style);
    out += inked(below.substr(0, below.size() - 1), Ink::dim, style) + "\n";
  }
  for (const auto& increase : row.increases)
    out += inked(indented("    ", "MORE: " + increase_text(increase), 4, style), Ink::red, style);
  return out;
}

std::string counts_text(const ContestReport& report) {
  std::map<std::string, int> counts;
  for (const auto& row : report.outcome.rows) ++counts[contest_word(row)];
  std::vector<std::string> parts;
  for (const auto& [word, count] : counts) parts.push_back(fmt::format("{} {}", count, word));
  if (!report.missing.empty()) parts.push_back(fmt::format("{} missing", report.missing.size()));
  if (!report.added.empty()) parts.push_back(fmt::format("{} new", report.added.size()));
  const auto rows = report.outcome.rows.size();
  const auto how = report.outcome.rounds.empty() ? std::string()
                                                 : fmt::format(" in {} rounds", report.outcome.rounds.size());
  return fmt::format("{} {}{}: {}", rows, rows == 1 ? "row" : "rows", how, fmt::join(parts, ", "));
}

/// What fails, by name: the last lines of a log are what is read.
std::string failures_text(const ContestReport& report, const Style& style) {
  std::string out;
  for (const auto& row : report.outcome.rows) {
    if (row.confirmed)
      out += fmt::format("{}: slower in two sessions, {} and {}; margin {:.2g} %\n",
                         inked(row.row.name, Ink::red, style), ratio_change(row.row.judged),
                         ratio_change(*row.again), 100 * row.row.delta);
    for (const auto& increase : row.increases)
      out += fmt::format("{}: {}\n", inked(row.row.name, Ink::red, style), increase_text(increase));
  }
  return out;
}

Json judgement_json(const Judgement& judged) {
  Json json;
  json["verdict"] = to_string(judged.verdict);
  json["flags"] = judged.flags;
  json["ratio"] = finite(judged.ratio);
  json["ratio_ci"] = nullptr;
  if (judged.ratio_interval)
    json["ratio_ci"] = {finite(judged.ratio_interval->low), finite(judged.ratio_interval->high)};
  json["alpha_look"] = finite(judged.alpha_look);
  json["sd_round"] = finite(judged.sd);
  json["mde95"] = finite(judged.smallest_effect);
  return json;
}

Json numbers_json(const std::vector<double>& numbers) {
  Json json = Json::array();
  for (const auto number : numbers) json.push_back(finite(number));
  return json;
}

/// One value a round: the optimized form's time in that program; none where something else is compared.
Json times_json(const results::Row& row, Form side) {
  Json json = Json::array();
  if (row.measured.statistic != Statistic::median) return json;
  for (const auto& sample : row.measured.samples)
    if (sample.form == side) json.push_back(results::nanoseconds(sample.seconds));
  return json;
}

Json increases_json(const std::vector<CountIncrease>& increases) {
  Json json = Json::array();
  for (const auto& increase : increases)
    json.push_back({{"figure", increase.figure},
                    {"form", increase.form},
                    {"unit", increase.unit},
                    {"base", finite(increase.base)},
                    {"head", finite(increase.current)}});
  return json;
}

/// Both programs' values: times, or what stands for the time of a run.
void add_values(Json& json, const ContestRow& row) {
  const auto& measured = row.row.measured;
  const bool time = measured.statistic == Statistic::median;
  json["metric"] = results::metric_of(measured);
  json["base_ns"] = time ? results::nanoseconds(row.base_seconds()) : Json(nullptr);
  json["head_ns"] = time ? results::nanoseconds(row.head_seconds()) : Json(nullptr);
  if (time) return;
  json["base_value"] = finite(row.base_seconds());
  json["head_value"] = finite(row.head_seconds());
  json["value_unit"] = measured.figures.empty() ? "" : measured.figures.front().unit;
}

Json row_json(const ContestRow& row) {
  Json json;
  json["id"] = row.row.name;
  json["step"] = row.row.step;
  json["device"] = to_string(row.row.device);
  json["timer"] = row.row.measured.timer == Timer::event ? "cuda_event" : "steady_clock";
  json["iterations"] = row.row.measured.iterations;
  json["margin"] = finite(row.row.delta);
  json["advisory"] = false;  // readers of version 1.1 look for it
  json["p_adj"] = finite(row.p);
  json["adj"] = "holm";
  json["regressed"] = row.regressed;
  json["confirmed"] = row.confirmed;
  json["reason"] = row.row.reason;
  json["rounds"] = row.row.rounds;
  json["result"] = judgement_json(row.row.judged);
  json["again"] = row.again ? judgement_json(*row.again) : Json(nullptr);
  json["control"] = judgement_json(row.control);
  add_values(json, row);
  json["round_log_ratios"] = numbers_json(row.row.measured.log_ratios);
  json["round_control_log_ratios"] = numbers_json(row.control_log_ratios);
  json["round_base_ns"] = times_json(row.row, Form::naive);
  json["round_head_ns"] = times_json(row.row, Form::optimized);
  if (row.instructions)
    json["instructions"] = {{"base", finite(row.instructions->naive)},
                            {"head", finite(row.instructions->optimized)}};
  json["count_increases"] = increases_json(row.increases);
  return json;
}

Json party_json(const BuildName& build_name) {
  return {{"program", build_name.program}, {"version", build_name.version}, {"commit", build_name.commit}};
}

Json session_json(const GateOutcome& outcome) {
  const auto& session = outcome.session;
  Json json;
  json["id"] = session.id;
  json["started"] = session.started;
  json["seed"] = seed_text(session.seed);
  json["second_seed"] = outcome.second ? Json(seed_text(outcome.second->seed)) : Json(nullptr);
  json["device"] = session.device;
  json["threads"] = session.threads;
  json["looks"] = session.looks;
  json["alpha"] = session.alpha;
  json["k_pairs"] = session.pairs;
  json["options"] = Json::object();
  for (const auto& [name, value] : session.options) json["options"][name] = value;
  json["complete"] = !outcome.signal;
  return json;
}

/// True of a row that is judged by its counts alone, and that only BASE has one of.
bool uncounted(const ContestRow& row) {
  return row.base_seconds() <= 0 && !row.instructions && !row.vanished.empty() && !results::is_error(row.row);
}

/// HEAD could not do what BASE could.
bool is_lost(const results::Row& row) {
  return row.judged.verdict == Verdict::skipped && row.reason.starts_with("HEAD: ");
}

std::vector<results::Row> skipped_in_both(const std::vector<ContestRow>& rows) {
  std::vector<results::Row> skipped;
  for (const auto& row : rows)
    if (row.row.judged.verdict == Verdict::skipped && !is_lost(row.row)) skipped.push_back(row.row);
  return skipped;
}

Fate fate_of_contest(const ContestRow& row) {
  if (row.confirmed || !row.increases.empty()) return Fate::failure;
  if (is_lost(row.row)) return Fate::missing;
  if (unsettled(row) || uncounted(row)) return Fate::unsettled;
  if (row.regressed || row.instructions) return Fate::pass;  // a second session refuted it; counts decide
  return fate_of(row.row.judged.verdict);
}

std::string message_of(const ContestRow& row) {
  std::vector<std::string> parts;
  for (const auto& increase : row.increases) parts.push_back(increase_text(increase));
  if (auto note = contest_note(row); !note.empty()) parts.push_back(std::move(note));
  return fmt::format("{}", fmt::join(parts, "; "));
}

CiCase ci_row(const ContestRow& row) {
  const auto& judged = row.row.judged;
  CiCase out{.group = row.row.step,
             .name = row.row.name,
             .fate = fate_of_contest(row),
             .verdict = contest_word(row),
             .message = message_of(row),
             .seconds = row.row.row_seconds};
  const auto [before, after, change] = cells_of(row);
  out.before = before;
  out.after = after;
  if (row.instructions) {
    add_change(out, row.row.name, row.instructions->optimized / row.instructions->naive, {},
               instructions_apart);
    add_figure(out, "instructions in BASE", row.instructions->naive);
    add_figure(out, "instructions in HEAD", row.instructions->optimized);
  }
  if (row.base_seconds() <= 0) return out;
  add_change(out, row.row.name, judged.ratio, judged.ratio_interval, row.row.delta);
  add_figure(out, "rounds", row.row.rounds);
  add_figure(out, "spread of the rounds", judged.sd);
  add_figure(out, "smallest change that could be shown", judged.smallest_effect);
  if (row.p < 1) add_figure(out, "p, adjusted", row.p);
  return out;
}

}  // namespace

std::string contest_word(const ContestRow& row) {
  if (row.confirmed) return "slower";
  if (!row.increases.empty()) return "doing more";
  if (is_lost(row.row)) return "missing";
  if (unsettled(row)) return "maybe slower";
  if (uncounted(row)) return "no longer counted";
  if (row.regressed) return "not confirmed";
  if (row.instructions && row.row.judged.verdict == Verdict::inconclusive)
    return instructions_word(*row.instructions);
  return std::string(run::word_of(row.row.judged.verdict));
}

std::string contest_note(const ContestRow& row) {
  const auto& judged = row.row.judged;
  std::vector<std::string> parts;
  if (!row.row.reason.empty()) parts.push_back(row.row.reason);
  if (row.regressed) parts.push_back(repetition(row));
  if (unsettled(row) && !row.regressed) parts.push_back(why_no_failure(row));
  if (!results::is_error(row.row)) std::ranges::move(run::reasons_of(judged), std::back_inserter(parts));
  for (const auto& text : {control_note(row), vanished_text(row.vanished)})
    if (!text.empty()) parts.push_back(text);
  return fmt::format("{}", fmt::join(parts, "; "));
}

void clean(ContestReport& report) {
  for (auto* side : {&report.base, &report.head})
    for (auto* text : {&side->program, &side->version, &side->commit}) *text = printable(*text);
  for (auto* texts : {&report.missing, &report.added, &report.notes})
    for (auto& text : *texts) text = printable(text);
  for (auto& row : report.outcome.rows) {
    for (auto* text : {&row.row.name, &row.row.step, &row.row.reason}) *text = printable(*text);
    for (auto& text : row.vanished) text = printable(text);
    for (auto& increase : row.increases) increase.figure = printable(increase.figure);
  }
}

std::string contest_text(const ContestReport& report, const Style& style) {
  auto out = fmt::format("BASE {} ({})\nHEAD {} ({})\n\n", report.base.program, report.base.commit,
                         report.head.program, report.head.commit);
  const bool timed = !report.outcome.rounds.empty();
  const auto width = timed ? time_width : count_width;
  auto heading =
      contest_line(!timed                                                   ? "INSTRUCTIONS OF"
                   : std::ranges::all_of(report.outcome.rows, has_one_form) ? "BENCHMARK"
                                                                            : "SECOND SIDE OF",
                   {"BASE", "HEAD", timed ? "CHANGE [INTERVAL]" : "CHANGE", timed ? "LEAST" : "", "VERDICT"},
                   width, style);
  heading.pop_back();
  out += inked(heading, Ink::bold, style) + "\n";
  const auto skipped = skipped_in_both(report.outcome.rows);
  for (const auto& row : report.outcome.rows)
    if (is_lost(row.row) || !run::skipped_like_another(row.row, skipped)) out += row_text(row, style);
  out += run::skipped_text(skipped, style);
  out += name_list("Missing in HEAD", report.missing, style);
  out += name_list("New in HEAD", report.added, style);
  if (!report.notes.empty()) out += "\n";
  for (const auto& note : report.notes) out += indented("note:", note, 6, style);
  if (timed)
    out += indented("note:", "LEAST is the smallest change that these rounds could have shown", 6, style);
  out += "\n" + indented("", fmt::format("{}; seed 0x{:x}", counts_text(report), report.outcome.session.seed),
                         0, style);
  return out + failures_text(report, style);
}

Json contest_json(const ContestReport& report) {
  Json json;
  json["schema"] = "tuneproof.comparison";
  json["schema_version"] = {{"major", contest_major}, {"minor", contest_minor}};
  json["base"] = party_json(report.base);
  json["head"] = party_json(report.head);
  json["session"] = session_json(report.outcome);
  json["fingerprint"] = results::fingerprint_to_json(report.fingerprint);
  json["rows"] = Json::array();
  for (const auto& row : report.outcome.rows) json["rows"].push_back(row_json(row));
  json["missing"] = report.missing;
  json["new"] = report.added;
  json["notes"] = report.notes;
  json["rounds"] = Json::array();
  for (const auto& round : report.outcome.rounds) json["rounds"].push_back(results::round_to_json(round));
  return json;
}

CiReport contest_ci(const ContestReport& report) {
  CiReport out{.title = fmt::format("tuneproof compare --base {} ({}) --head {} ({})", report.base.program,
                                    report.base.commit, report.head.program, report.head.commit),
               .demands = report.demands,
               .signal = report.outcome.signal};
  for (const auto& row : report.outcome.rows) out.rows.push_back(ci_row(row));
  for (const auto& name : report.missing) out.rows.push_back(missing_row(name));
  for (const auto& name : report.added) out.notes.push_back("new: " + name);
  out.notes.insert(out.notes.end(), report.notes.begin(), report.notes.end());
  return out;
}

}  // namespace harness::compare
