#include "harness/tune/tune_text.hpp"

#include "harness/run/progress.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"
#include "harness/tune/advice.hpp"
#include "harness/tune/yardstick.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace harness::tune {
namespace {

constexpr double start_seconds = 3;  // of a worker
constexpr std::size_t most_shown = 5;
constexpr int indent = 4;

int count_of(const std::vector<Tried>& trials, State state) {
  return static_cast<int>(std::ranges::count(trials, state, &Tried::state));
}

std::string numbers_text(double seconds, double bytes, double loss) {
  return fmt::format("{} per sample, {}, loss {}", time_text(seconds), memory_text(bytes), digits_text(loss));
}

/// The number of the first trial of these settings.
int number_of_trial(const std::vector<Tried>& trials, const Settings& settings) {
  const auto found = std::ranges::find(trials, settings, &Tried::settings);
  return found == trials.end() ? 0 : found->number + 1;
}

std::string so_far(const Plan& plan, const std::vector<Tried>& trials) {
  const auto standard = standard_found(plan, trials);
  const auto best = best_first(plan, trials);
  if (!standard || best.empty()) return "";
  return fmt::format("; best so far {} % (trial {})",
                     percent_text(best.front().seconds_per_sample / standard->seconds_per_sample),
                     number_of_trial(trials, best.front().settings));
}

std::string answer_text(const Tried& tried) {
  if (tried.state == State::failed) return tried.reason;
  if (tried.state == State::pruned)
    return fmt::format("given up at {} per sample", time_text(tried.answer.seconds_per_sample));
  return numbers_text(tried.answer.seconds_per_sample, tried.answer.peak_bytes, tried.answer.loss);
}

std::string found_table(const Plan& plan, const std::vector<Found>& all, const Found& standard,
                        const Style& style) {
  Columns table({"settings", "change", "per sample", "memory", "loss"});
  for (std::size_t i = 0; i < std::min(all.size(), most_shown); ++i) {
    const auto& found = all[i];
    table.add({difference_text(found.settings, standard_of(plan)),
               percent_text(found.seconds_per_sample / standard.seconds_per_sample) + " %",
               time_text(found.seconds_per_sample), memory_text(found.peak_bytes), digits_text(found.loss)});
  }
  return table.text(style);
}

std::string limits_text(const Plan& plan) {
  return fmt::format("loss at most {} % above the standard{}", digits_text(100 * plan.margin),
                     plan.memory ? ", memory at most " + memory_text(*plan.memory) : "");
}

/// Whether the machine was the same at the end of the search as at its beginning.
std::string drift_text(const Outcome& outcome, const Style& style) {
  const auto moved = drift(outcome.plan, outcome.trials);
  if (!moved) return "\n";
  auto text =
      fmt::format("The standard settings took {} per sample in their first trial and {} in their last: {} %.",
                  time_text(moved->first), time_text(moved->last), percent_text(moved->ratio()));
  if (std::abs(moved->ratio() - 1) > most_drift)
    text +=
        " The machine has changed meanwhile, so changes of this size in the tables may be its own; the "
        "proof, "
        "whose forms take turns, is not misled by it.";
  return indented("  ", text, 2, style) + "\n";
}

std::string importance_text(const Outcome& outcome) {
  std::vector<std::string> words;
  for (const auto& one : importance(outcome.plan, outcome.trials))
    if (words.size() < most_shown) words.push_back(fmt::format("{} {:.0f} %", one.knob, 100 * one.share));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string plan_text(const Plan& plan, const Style& style) {
  Columns table({"knob", "<values", "<standard", "<advised"});
  for (const auto& knob : searched_knobs(plan))
    table.add({knob.name + (knob.changes_answer ? " *" : ""), fmt::format("{}", fmt::join(knob.values, ", ")),
               knob.standard, knob.advice.empty() ? "-" : knob.advice});
  for (const auto& knob : plan.knobs)
    if (const auto fixed = plan.fixed.find(knob.name); fixed != plan.fixed.end())
      table.add({knob.name, fixed->second + " (fixed)", knob.standard, "-"});
  const auto seconds = plan.trials * (plan.workload.seconds + start_seconds);
  const auto limit = plan.budget ? search_seconds(plan, 1) : seconds;
  constexpr double three_looks = 2;  // rows that go on after the first look take about twice as long
  const auto proof_seconds = three_looks * static_cast<double>(catalogue::most_settings) * plan.row_seconds;
  auto text = table.text(style);
  text += fmt::format(
      "  * may change what the training ends at\n\n  {:.0f} settings, {} trials of {} {} each; {}\n",
      size_of(plan), plan.trials, plan.workload.amount, plan.workload.unit, limits_text(plan));
  text += fmt::format(
      "  search: about {}, proof: about {}{}\n", run::duration_text(std::min(seconds, limit)),
      run::duration_text(plan.budget ? std::min(proof_seconds, plan.budget->count() - limit) : proof_seconds),
      plan.budget ? " (the budget)" : "");
  return text;
}

std::string trial_line(const Plan& plan, const Tried& tried, const std::vector<Tried>& trials) {
  const auto of_all = tried.number < plan.trials ? fmt::format("/{}", plan.trials) : ", once more";
  return fmt::format("trial {}{}: {}: {}{}", tried.number + 1, of_all,
                     difference_text(tried.settings, standard_of(plan)), answer_text(tried),
                     so_far(plan, trials));
}

std::string search_text(const Outcome& outcome, const Style& style) {
  const auto& plan = outcome.plan;
  auto text = section_heading(fmt::format("{}: {} trials by {}, seed {}", plan.workload.workload,
                                          outcome.trials.size(), outcome.searcher, plan.seed),
                              style) +
              "\n";
  text += fmt::format("  {} complete, {} given up, {} failed; limits: {}\n",
                      count_of(outcome.trials, State::complete), count_of(outcome.trials, State::pruned),
                      count_of(outcome.trials, State::failed), limits_text(plan));
  const auto standard = standard_found(plan, outcome.trials);
  if (!standard) return text + "  The standard settings have no answer yet, so nothing can be compared.\n";
  text += fmt::format("  standard: {}\n",
                      numbers_text(standard->seconds_per_sample, standard->peak_bytes, standard->loss));
  text += drift_text(outcome, style);
  text += found_table(plan, best_first(plan, outcome.trials), *standard, style);
  text += section_heading("Speed against memory: no other is both faster and smaller", style) + "\n";
  text += found_table(plan, pareto_front(plan, outcome.trials), *standard, style);
  return text + "\n" + indented("  What mattered:", importance_text(outcome), indent, style);
}

std::string proof_page(const Outcome& outcome, const std::string& file, const Style& style) {
  const auto& plan = outcome.plan;
  const auto all = proven(plan, outcome.candidates, outcome.proof ? &*outcome.proof : nullptr);
  std::string text;
  if (!all.empty())
    text = section_heading("The proof: each against the standard settings, in fresh processes", style) + "\n";
  for (const auto& one : all) {
    text += indented(fmt::format("  {}: ", one.candidate.label), proof_text(one), indent, style);
    text += indented("    ", difference_text(one.candidate.settings, standard_of(plan)), indent, style);
  }
  text += "\n" + indented("  ", conclusion(all, standard_found(plan, outcome.trials).has_value()), 2, style);
  const auto* const best = winner(all);
  if (best == nullptr) return text;
  text += section_heading("In your own code", style) + "\n";
  for (const auto& line : in_own_code(plan, best->candidate.settings))
    text += indented("  ", line, indent, style);
  if (!file.empty())
    text += fmt::format("\n  Next: tuneproof run {} --config {}\n", plan.workload.step, file);
  return text;
}

}  // namespace harness::tune
