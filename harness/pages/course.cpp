#include "harness/pages/course.hpp"

#include "harness/pages/typed_answer.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

namespace harness::pages {

void Course::say_page(std::string_view text) const { learner_.say(reflowed(text, style_)); }

bool Course::teach(const std::string& only) {
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const bool wanted = only.empty() ? progress_.find(units_[i].name) == nullptr : units_[i].name == only;
    if (wanted && teach_unit(i) == Next::leave) return false;
  }
  return true;
}

Course::Next Course::teach_unit(std::size_t index) {
  const auto& unit = units_[index];
  const auto heading =
      fmt::format("[{}/{}] {}, {}: {}", index + 1, units_.size(), unit.name, unit.phase, unit.title);
  learner_.say(fmt::format("\n{}\n\n", inked(heading, Ink::bold, style_)));
  say_page(unit.text);
  if (const auto command = machine_.command(unit); !command.empty())
    learner_.say(fmt::format("\n  {}\n{}", command,
                             unit.trace.empty() ? "" : "\nType run to see what this command prints.\n"));
  learner_.say("\n");
  say_page(unit.ask);
  learner_.say(fmt::format("(Please type {}{})\n", expected_answer(unit),
                           unit.exercise ? "; ? shows the solution" : ""));
  return unit.exercise ? exercise(unit) : predict(unit);
}

std::optional<std::string> Course::ask(const CourseUnit& unit) const {
  while (true) {
    learner_.say("> ");
    auto typed = learner_.line();
    if (!typed) return std::nullopt;
    const auto plain = plain_answer(*typed);
    if (plain == "quit" || plain == "q") return std::nullopt;
    if (plain == "run" && !unit.trace.empty()) {
      learner_.say(machine_.show(unit));
      continue;
    }
    if (plain == "skip" || (plain == "?" && unit.exercise) || is_answer(unit, *typed)) return typed;
    learner_.say(fmt::format("Please type {}{}{}; skip, or quit.\n", expected_answer(unit),
                             unit.trace.empty() ? "" : "; run to see what the command prints",
                             unit.exercise ? "; ? to see the solution" : ""));
  }
}

void Course::say_outcome(const CourseUnit& unit, const std::string& typed, const Truth& truth,
                         bool right) const {
  const auto said = fmt::format(
      "{} You said {}.", right ? "RIGHT." : "WRONG.",
      unit.answers.empty() ? single_spaced(typed) : chosen_of(typed, unit.answers).value_or(typed));
  learner_.say(fmt::format("\n{}\n", inked(said, right ? Ink::green : Ink::yellow, style_)));
  if (right || !unit.exercise)
    learner_.say(indented("The answer: ", fmt::format("{} ({})", truth.said, truth.from), 12, style_));
  if (unit.near > 1) learner_.say(fmt::format("A factor of {:.3g} either way counts as right.\n", unit.near));
}

Course::Next Course::predict(const CourseUnit& unit) {
  const auto typed = ask(unit);
  if (!typed) return Next::leave;
  if (plain_answer(*typed) == "skip") return finish(unit, {"skipped", "", ""});
  const auto truth = machine_.truth(unit);
  if (truth.undecided) return leave_open(unit, *typed, truth);
  if (!truth.missing.empty()) {
    learner_.say("\n");
    say_page("This machine cannot answer: " + truth.missing);
    return finish(unit, {"skipped", *typed, truth.missing});
  }
  const bool right = is_right(unit, *typed, truth);
  say_outcome(unit, *typed, truth, right);
  if (!unit.recording.empty()) learner_.say("\n" + machine_.show(unit));
  return finish(unit, {right ? "right" : "otherwise", *typed, truth.said});
}

Course::Next Course::leave_open(const CourseUnit& unit, const std::string& typed, const Truth& truth) const {
  learner_.say(fmt::format("\nYou said {}. Nothing is decided.\n", single_spaced(typed)));
  say_page(truth.missing + ".");
  say_page(fmt::format("Wait until the machine is idle (tuneproof doctor). Then run tuneproof learn {}.",
                       number_of(unit)));
  return Next::on;
}

Course::Next Course::exercise(const CourseUnit& unit) {
  const auto truth = machine_.truth(unit);
  if (!truth.missing.empty()) throw std::logic_error("unit " + unit.name + ": " + truth.missing);
  for (int tries = 1;; ++tries) {
    const auto typed = ask(unit);
    if (!typed) return Next::leave;
    const auto plain = plain_answer(*typed);
    if (plain == "skip") return finish(unit, {"skipped", "", ""});
    if (plain == "?") {
      learner_.say("\n");
      say_page(unit.solution);
      return finish(unit, {"shown", "", truth.said});
    }
    const bool right = is_right(unit, *typed, truth);
    say_outcome(unit, *typed, truth, right);
    if (right) {
      learner_.say("\n");
      say_page(unit.solution);
      return finish(unit, {"right", *typed, truth.said, tries});
    }
    if (tries == 1) say_page("Hint: " + unit.hint);
    learner_.say("Try again; ? shows the solution.\n");
  }
}

Course::Next Course::finish(const CourseUnit& unit, Finished finished) {
  const bool skipped = finished.how == "skipped" && finished.answer.empty();
  progress_.finish(unit.name, std::move(finished));
  if (skipped) return Next::on;
  learner_.say("\n");
  say_page(unit.after);
  return Next::on;
}

std::string Course::table() const {
  const auto how_of = [&](const CourseUnit& unit) {
    const auto* const finished = progress_.find(unit.name);
    if (finished == nullptr) return std::string("open");
    return finished->tries == 1 ? finished->how
                                : fmt::format("{} ({} tries)", finished->how, finished->tries);
  };
  std::size_t how_columns = 0;
  for (const auto& unit : units_) how_columns = std::max(how_columns, how_of(unit).size() + 2);
  std::string out;
  std::string_view phase;
  for (const auto& unit : units_) {
    if (unit.phase != phase)
      out += fmt::format("{}{}\n", phase.empty() ? "" : "\n", inked(unit.phase, Ink::bold, style_));
    phase = unit.phase;
    out += indented(fmt::format("  {:<18}{}", unit.name, how_of(unit)), unit.title,
                    20 + static_cast<int>(how_columns), style_);
  }
  return out + "\n" + summary();
}

std::string Course::summary() const {
  std::map<std::string_view, int> ended;
  int later = 0;
  for (const auto& unit : units_) {
    const auto* const finished = progress_.find(unit.name);
    ++ended[finished == nullptr ? std::string_view("open") : finished->how];
    later += finished != nullptr && finished->tries > 1 ? 1 : 0;
  }
  return fmt::format("{} of {} units: {} right{}, {} wrong, {} shown, {} skipped\n",
                     static_cast<int>(units_.size()) - ended["open"], units_.size(), ended["right"],
                     later > 0 ? fmt::format(" ({} at a later try)", later) : std::string(),
                     ended["otherwise"], ended["shown"], ended["skipped"]);
}

}  // namespace harness::pages
