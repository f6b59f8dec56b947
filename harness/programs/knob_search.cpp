#include "harness/programs/knob_search.hpp"

#include "harness/core/setup.hpp"
#include "harness/programs/command_meter.hpp"
#include "harness/run/rounds.hpp"
#include "harness/support/lock_file.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <bit>
#include <iterator>

namespace harness::programs {
namespace {

using std::chrono::steady_clock;

/// Reports the step times to the study each time that the steps have doubled, so that trials are compared
/// after equally many.
Watch watch_for(Study& study, const Tried& trial, const Candidate& candidate) {
  return [&study, number = trial.number, per = divisor(candidate),
          reported = 0](const StepTimes::Seen& seen) mutable {
    const auto doublings = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(seen.steps)));
    if (doublings < 4 || doublings == reported) return false;
    reported = doublings;
    return study.give_up(number, std::int64_t{1} << (doublings - 1), seen.step() / per);
  };
}

/// What --keep found in the command as it stands; nothing before it has run.
std::optional<std::string> standard_output(const std::vector<Tried>& tried, const Settings& standard) {
  for (const auto& one : tried)
    if (one.settings == standard && one.state == State::complete) return one.output;
  return std::nullopt;
}

std::string outcome_text(const Tried& trial, const Plan& plan, const std::string& reason) {
  switch (trial.state) {
    case State::complete:
      return value_text(plan, plan.more_is_better ? 1 / trial.value : trial.value);
    case State::pruned:
      return "given up: others were faster by then";
    case State::failed:
      return "failed: " + reason;
  }
  return {};
}

/// One trial; why it failed is returned.
std::string try_once(Tried& trial, const Candidate& candidate, const SearchPlan& plan, Study& study,
                     CommandMeter& meter, const std::optional<std::string>& first_output) {
  const auto begin = steady_clock::now();
  try {
    const auto measured = meter.measure(candidate, watch_for(study, trial, candidate));
    trial.seconds = Seconds(steady_clock::now() - begin).count();
    trial.value = measured.value;
    trial.output = measured.same;
    if (measured.run.stopped) trial.state = State::pruned;
    if (trial.state != State::complete || !first_output) return {};
    auto reason = why_not_same(plan.plan, *first_output, trial.output);
    if (!reason.empty()) trial.state = State::failed;
    return reason;
  } catch (const RunFailed& failed) {
    trial.state = State::failed;
    return failed.what();
  }
}

/// When a search ends: once there was room for a proof behind it, it leaves that room.
class SearchEnd {
 public:
  explicit SearchEnd(const SearchPlan& plan) : plan_(plan) {}

  /// Looks at what is known now.
  steady_clock::time_point operator()(Searched& searched, const Template& command) {
    const auto standard = command.standard();
    for (const auto& one : searched.tried)
      if (one.settings == standard && one.state == State::complete) searched.proof.first = one.seconds;
    const auto best = best_of(searched.tried, command, 1);
    const auto first = searched.proof.first;
    const std::array others{best.empty() ? first : best.front().seconds};
    if (first <= 0) return plan_.end({});
    const auto end = plan_.end(Seconds(with_reserve(searched.proof.seconds(others))));
    const Seconds trial(best.empty() ? first : 0);  // that has to come before
    room_ = room_ || Seconds(end - steady_clock::now()) > trial;
    return room_ ? end : plan_.end();
  }

 private:
  const SearchPlan& plan_;
  bool room_ = false;
};

/// Tries settings until enough were tried, none are left, or the time is up.
void try_settings(const Template& command, const SearchPlan& plan, Study& study, run::RunOutput& output,
                  CommandMeter& meter, Searched& searched) {
  const auto standard = command.standard();
  auto& tried = searched.tried;
  SearchEnd end_of(plan);
  while (!meter.is_ended() && std::cmp_less(tried.size(), plan.trials)) {
    const auto end = end_of(searched, command);
    if (steady_clock::now() >= end) return;
    meter.end_at(end);
    auto asked = study.ask();
    if (!asked) return;
    const auto candidate = candidate_at(command, plan, asked->settings);
    const auto reason = try_once(*asked, candidate, plan, study, meter, standard_output(tried, standard));
    if (meter.is_ended()) return;
    // Of that the study is not told, so that the same command tries it again once it is mended.
    const bool fails_as_it_stands = asked->settings == standard && asked->state == State::failed;
    if (!fails_as_it_stands) study.tell(*asked);
    output.say(fmt::format("trial {}/{}  {}: {}", tried.size() + 1, plan.trials,
                           settings_text(asked->settings), outcome_text(*asked, plan.plan, reason)));
    if (fails_as_it_stands)
      throw BadInput("the command as it stands fails, so nothing can be compared with it: " + reason);
    tried.push_back(*asked);
  }
}

constexpr std::array<std::string_view, 3> state_names{"complete", "pruned", "failed"};

Settings settings_from(const Field& json) {
  Settings settings;
  for (const auto& [name, value] : json.members()) settings[name] = value.text();
  return settings;
}

Tried tried_from(const Field& json) {
  const auto* const state = std::ranges::find(state_names, json["state"].text());
  if (state == state_names.end()) json["state"].reject("is not a state");
  return {.number = static_cast<int>(json["number"].integer(0, most_rounds)),
          .settings = settings_from(json["settings"]),
          .state = State(state - state_names.begin()),
          .value = json["value"].number(),
          .output = json["output"].text(),
          .seconds = json["seconds"].number()};
}

Json knobs_json(const Template& command) {
  auto all = Json::array();
  for (const auto& knob : command.knobs())
    all.push_back({{"name", knob.name}, {"values", knob.values}, {"ordered", knob.ordered}});
  return all;
}

}  // namespace

Candidate candidate_at(const Template& command, const SearchPlan& plan, const Settings& settings) {
  const auto text = command.command(settings);
  Candidate candidate{.name = text, .command = text, .prepare = plan.prepare, .setup = plan.setup};
  if (!plan.per.empty()) candidate.per = settings.at(plan.per);
  return candidate;
}

steady_clock::time_point SearchPlan::end() const {
  if (!budget) return steady_clock::time_point::max();
  return begin + std::chrono::duration_cast<steady_clock::duration>(*budget);
}

steady_clock::time_point SearchPlan::end(Seconds kept) const {
  constexpr double most = 0.6;  // of the budget
  if (!budget) return end();
  const auto time = std::min(most * *budget, *budget - kept);
  return begin + std::chrono::duration_cast<steady_clock::duration>(time);
}

steady_clock::time_point SearchPlan::last_answer() const {
  if (!budget) return steady_clock::time_point::max();
  return begin + std::chrono::duration_cast<steady_clock::duration>(run::with_overtime(*budget));
}

Searched search(const Template& command, const SearchPlan& plan, Study& study, run::RunOutput& output,
                SignalWatch& signals) {
  Searched searched{.tried = study.tried()};
  CommandMeter meter(plan.plan, output, signals);
  searched.proof.warmup = plan.plan.warmup;
  meter.end_at(plan.end({}));
  if (plan.budget) meter.clean_up_within(run::with_overtime(*plan.budget) - *plan.budget);
  const auto begin = steady_clock::now();
  meter.between_hooks([&] {
    searched.proof.setup = Seconds(steady_clock::now() - begin).count();
    try {
      try_settings(command, plan, study, output, meter, searched);
    } catch (const Stopped& stopped) {
      searched.signal = stopped.signal;
    }
  });
  if (!searched.signal) searched.signal = meter.signal();
  return searched;
}

std::vector<Tried> best_of(const std::vector<Tried>& tried, const Template& command, std::size_t most) {
  auto sorted = tried;
  std::erase_if(sorted, [](const Tried& one) { return one.state != State::complete; });
  std::ranges::stable_sort(sorted, {}, &Tried::value);
  std::set<std::string> known{command.command(command.standard())};
  std::vector<Tried> best;
  for (const auto& one : sorted)
    if (best.size() < most && known.insert(command.command(one.settings)).second) best.push_back(one);
  return best;
}

Study::Study(const Template& command, const StudyPlace& place, steady_clock::time_point end,
             SignalWatch& signals)
    : place_(place),
      only_writer_(only_writer(behind_links(place.storage))),
      end_(end),
      signals_(signals),
      python_(python_script(place.python, study_script()), Conversation::Group::its_own) {
  const auto answer = answer_to({{"ask", "open"},
                                 {"storage", place.storage},
                                 {"study", place.name},
                                 {"seed", place.seed},
                                 {"knobs", knobs_json(command)}});
  const Field json(answer, "Optuna");
  version_ = json["version"].text();
  uncounted_ = json["uncounted"].integer(0, most_rounds);
  for (const auto& one : json["tried"].entries()) tried_.push_back(tried_from(one));
}

Json Study::answer_to(const Json& question) {
  constexpr std::chrono::seconds least{10};  // where the time is up while a trial ends
  std::optional<std::string> line;
  try {
    line = python_.ask(question.dump(-1, ' ', true, Json::error_handler_t::replace),
                       {std::max(end_, steady_clock::now() + least), signals_.fd()});
  } catch (const std::runtime_error& ended) {
    throw BadInput(
        fmt::format("tune needs a Python with Optuna, and {}; name one with --python", ended.what()));
  }
  if (!line) {
    if (const auto signal = signals_.take()) throw Stopped{*signal};
    throw BadInput(fmt::format(
        "{} did not answer for Optuna within --budget; raise that, or name another Python with --python",
        place_.python));
  }
  auto answer = parse_json(*line, "Optuna");
  const Field json(answer, "Optuna");
  if (const auto missing = json.find("missing"))
    throw BadInput(fmt::format("tune needs Optuna ({}); install it with `{} -m pip install {}`",
                               missing->text(), place_.python, optuna_wheel()));
  if (const auto error = json.find("error"))
    throw BadInput(fmt::format("{}: {}; name another file with --storage", place_.storage, error->text()));
  return answer;
}

std::optional<Tried> Study::ask() {
  const auto answer = answer_to({{"ask", "ask"}});
  const Field json(answer, "Optuna");
  if (json.has("done")) return std::nullopt;
  ++uncounted_;
  return Tried{.number = static_cast<int>(json["number"].integer(0, most_rounds)),
               .settings = settings_from(json["settings"])};
}

bool Study::give_up(int number, std::int64_t steps, double seconds) {
  const auto answer =
      answer_to({{"ask", "report"}, {"number", number}, {"steps", steps}, {"value", finite(seconds)}});
  return Field(answer, "Optuna")["give_up"].boolean();
}

void Study::tell(const Tried& tried) {
  answer_to({{"ask", "tell"},
             {"number", tried.number},
             {"state", state_names.at(static_cast<std::size_t>(tried.state))},
             {"value", finite(tried.value)},
             {"output", tried.output}});
  --uncounted_;
}

}  // namespace harness::programs
