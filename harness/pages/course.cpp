#include "harness/pages/course.hpp"

#include "harness/pages/typed_answer.hpp"
#include "harness/support/field.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/scratch_folder.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <system_error>

namespace harness::pages {
namespace {

/// That paragraph of the hint, from 1; empty behind the last.
std::string hint_of(const CourseUnit& unit, int number) {
  constexpr std::string_view between = "\n\n";
  std::string_view rest = unit.hint;
  for (int i = 1; i < number; ++i) {
    const auto end = rest.find(between);
    if (end == rest.npos) return {};
    rest.remove_prefix(end + between.size());
  }
  return std::string(rest.substr(0, rest.find(between)));
}

/// "You said same.", be it that 2 was typed.
std::string you_said(const CourseUnit& unit, const std::string& typed) {
  return fmt::format("You said {}.", unit.answers.empty() ? single_spaced(typed)
                                                          : chosen_of(typed, unit.answers).value_or(typed));
}

std::string with_source(const Truth& truth) { return fmt::format("{} ({})", truth.said, truth.from); }

}  // namespace

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
  say_page(fmt::format("(Please type {}; {}? shows what counts as an answer)", expected_answer(unit),
                       unit.exercise ? "hint gives a hint, solution shows the solution, " : ""));
  return unit.exercise ? exercise(unit) : predict(unit);
}

bool Course::helps(const CourseUnit& unit, const std::string& plain, int& hints) const {
  if (plain == "run" && !unit.trace.empty()) {
    learner_.say(machine_.show(unit));
    return true;
  }
  if (plain == "?") {
    say_page(accepted_answers(unit));
    return true;
  }
  if (plain != "hint") return false;
  const auto hint = hint_of(unit, hints + 1);
  if (!hint.empty()) ++hints;
  if (!unit.exercise)
    say_page(
        "There is no hint: this asks for a prediction, and a wrong one does no harm. Guess, or type skip.");
  else
    say_page(hint.empty() ? "There is no further hint; solution shows the solution." : "Hint: " + hint);
  return true;
}

std::optional<std::string> Course::ask(const CourseUnit& unit, int& hints, const Truth& truth) const {
  while (true) {
    learner_.say("> ");
    auto typed = learner_.line();
    if (!typed) return std::nullopt;
    const auto plain = plain_answer(*typed);
    if (plain == "quit" || plain == "q") return std::nullopt;
    if (helps(unit, plain, hints)) continue;
    if (plain == "skip" || (plain == "solution" && unit.exercise) || is_answer(unit, *typed, truth))
      return typed;
    const auto question = asked_back(unit, *typed, truth);
    std::vector<std::string> others{"skip", "quit"};
    if (unit.exercise) others.insert(others.begin(), "solution to see the solution");
    if (!hint_of(unit, hints + 1).empty()) others.insert(others.begin(), "hint");
    if (!unit.trace.empty()) others.insert(others.begin(), "run to see what the command prints");
    say_page(fmt::format("{}Please type {}; else {}.", question, expected_answer(unit), join_or(others)));
  }
}

void Course::say_outcome(const CourseUnit& unit, const std::string& typed, const Truth& truth,
                         bool right) const {
  const auto said = fmt::format("{} {}", right ? "RIGHT." : "WRONG.", you_said(unit, typed));
  learner_.say(fmt::format("\n{}\n", inked(said, right ? Ink::green : Ink::yellow, style_)));
  if (right || !unit.exercise) learner_.say(indented("The answer: ", with_source(truth), 12, style_));
  if (const auto partly = partly_right(unit, typed, truth); !right && !partly.empty())
    learner_.say(partly + "\n");
  if (unit.near > 1) learner_.say(fmt::format("A factor of {:.3g} either way counts as right.\n", unit.near));
  if (truth.between) learner_.say("What lies in the interval does, too.\n");
}

Course::Next Course::predict(const CourseUnit& unit) {
  int hints = 0;
  const auto typed = ask(unit, hints);
  if (!typed) return Next::leave;
  if (plain_answer(*typed) == "skip") return finish(unit, {"skipped", "", ""});
  const auto truth = machine_.truth(unit);
  if (truth.undecided) return leave_open(unit, *typed, truth.missing);
  if (!truth.missing.empty()) {
    learner_.say("\n");
    say_page("This machine cannot answer: " + truth.missing);
    return finish(unit, {"skipped", *typed, truth.missing});
  }
  const bool right = is_right(unit, *typed, truth);
  if (!right && truth.disturbed) return leave_open(unit, *typed, with_source(truth));
  say_outcome(unit, *typed, truth, right);
  if (!unit.recording.empty()) learner_.say("\n" + machine_.show(unit));
  return finish(unit, {right ? "right" : "otherwise", *typed, truth.said});
}

Course::Next Course::leave_open(const CourseUnit& unit, const std::string& typed,
                                const std::string& why) const {
  learner_.say(fmt::format("\n{} Nothing is decided.\n", you_said(unit, typed)));
  say_page(why + ".");
  say_page(fmt::format(
      "An idle machine (tuneproof doctor) may decide it, or a longer tuneproof run --budget, given "
      "here as --results. Then run tuneproof learn {}.",
      number_of(unit)));
  learner_.say("\n");
  say_page("What follows was not confirmed by this run:");
  learner_.say("\n");
  say_page(unit.after);
  return Next::on;
}

Course::Next Course::exercise(const CourseUnit& unit) {
  const auto truth = machine_.truth(unit);
  if (!truth.missing.empty()) throw std::logic_error("unit " + unit.name + ": " + truth.missing);
  int hints = 0;
  for (int tries = 1;; ++tries) {
    const auto typed = ask(unit, hints, truth);
    if (!typed) return Next::leave;
    const auto plain = plain_answer(*typed);
    if (plain == "skip") return finish(unit, {"skipped", "", ""});
    if (plain == "solution") {
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
    if (const auto hint = hint_of(unit, hints + 1); !hint.empty()) {
      ++hints;
      say_page("Hint: " + hint);
    }
    learner_.say("Try again; solution shows the solution.\n");
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
    const std::string how = finished->how == "otherwise" ? "wrong" : finished->how;
    return finished->tries == 1 ? how : fmt::format("{} ({} tries)", how, finished->tries);
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

namespace {

constexpr std::uint64_t most_bytes = 1 << 20;
constexpr auto learner_schema = "tuneproof.learn";
constexpr int version = 1;
constexpr std::string_view outcomes[] = {"right", "otherwise", "shown", "skipped"};

/// An empty variable counts as none, and one that is not an absolute path is to be ignored: XDG's rules.
std::optional<std::filesystem::path> folder_in(const char* variable) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): one thread
  if (text == nullptr || !std::filesystem::path(text).is_absolute()) return std::nullopt;
  return text;
}

}  // namespace

void Console::wait_for(int fd) {
  std::array<pollfd, 2> ready{{{fd, POLLIN, 0}, {watch_.fd(), POLLIN, 0}}};
  while (::poll(ready.data(), ready.size(), -1) < 0 && errno == EINTR) {
  }
  if (ready[1].revents != 0)
    if (const auto signal = watch_.take()) throw Interrupted{*signal};
}

std::optional<std::string> Console::line() {
  while (true) {
    if (const auto end = typed_.find('\n'); end != typed_.npos) {
      auto line = typed_.substr(0, end);
      typed_.erase(0, end + 1);
      return line;
    }
    wait_for(STDIN_FILENO);
    std::array<char, 4096> piece{};
    const auto size = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    typed_.append(piece.data(), static_cast<std::size_t>(size));
  }
  if (typed_.empty()) return std::nullopt;
  return std::exchange(typed_, {});  // a last line without its end
}

Console::Ended Console::run(const Command& command, const std::function<void(std::string_view)>& heard) {
  Child child(command);
  child.send("");
  LineReader lines(std::size_t{1} << 16);
  std::string said;
  for (bool open = true; open;) {
    wait_for(child.said());
    open = lines.read(child.said());
    while (const auto line = lines.next()) {
      said.append(*line).append("\n");
      if (heard) heard(*line);
    }
  }
  said += lines.rest();
  constexpr std::chrono::seconds patience{10};  // its output has ended: it is ending too
  const auto exit = child.wait(patience);
  return {exit.value_or(Exit{.code = 1}), std::move(said)};
}

std::filesystem::path CourseProgress::usual_file() {
  auto folder = folder_in("XDG_STATE_HOME");
  if (const auto home = folder_in("HOME"); !folder && home) folder = *home / ".local" / "state";
  if (!folder) throw BadInput("there is no place to keep your progress; name a file with --progress FILE");
  return *folder / "tuneproof" / "learn.json";
}

CourseProgress::CourseProgress(std::filesystem::path file) : file_(std::move(file)) {
  const NewFolders folders(folder_of_it());
  const ReplaceFile writable(file_);  // finds out before the first question is asked
  units_ = read();
}

CourseProgress::Units CourseProgress::read() const {
  Units units;
  std::error_code ignored;
  if (!std::filesystem::exists(file_, ignored)) return units;
  const auto json = read_json(file_, most_bytes);
  const Field root(json, file_.string());
  if (!root.has("schema") || root["schema"].text() != learner_schema)
    root.reject("is not a progress file of tuneproof learn");
  if (root["version"].number() != version) root["version"].reject("is unknown to this program");
  for (const auto& [name, unit] : root["units"].members()) {
    units[name] = {unit["how"].text(), unit["answer"].text(), unit["truth"].text(),
                   unit.has("tries") ? static_cast<int>(unit["tries"].integer(1, 1000)) : 1};
    if (std::ranges::find(outcomes, units[name].how) == std::ranges::end(outcomes))
      unit["how"].reject("is not a way in which a unit ends");
  }
  return units;
}

std::filesystem::path CourseProgress::folder_of_it() const {
  return std::filesystem::absolute(file_).parent_path();
}

const Finished* CourseProgress::find(const std::string& unit) const {
  const auto found = units_.find(unit);
  return found == units_.end() ? nullptr : &found->second;
}

void CourseProgress::finish(const std::string& unit, Finished finished) {
  const NewFolders folders(folder_of_it());
  const ReplaceFile file(file_);
  units_ = read();
  units_[unit] = std::move(finished);
  file.write(text());
}

void CourseProgress::forget() {
  units_.clear();
  const NewFolders folders(folder_of_it());
  ReplaceFile(file_).write(text());
}

std::string CourseProgress::text() const {
  Json units = Json::object();
  for (const auto& [name, unit] : units_)
    units[name] = {{"how", unit.how}, {"answer", unit.answer}, {"truth", unit.truth}, {"tries", unit.tries}};
  return pretty({{"schema", learner_schema}, {"version", version}, {"units", std::move(units)}});
}

}  // namespace harness::pages
