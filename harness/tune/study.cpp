#include "harness/tune/study.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

namespace harness::tune {
namespace {

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
          .output = json["output"].text()};
}

Json knobs_json(const Template& command) {
  auto all = Json::array();
  for (const auto& knob : command.knobs())
    all.push_back({{"name", knob.name}, {"values", knob.values}, {"ordered", knob.ordered}});
  return all;
}

}  // namespace

Study::Study(const Template& command, const StudyPlace& place)
    : place_(place), python_({.program = place.python, .arguments = {"-c", std::string(study_script())}}) {
  const auto answer = answer_to({{"ask", "open"},
                                 {"storage", place.storage},
                                 {"study", place.name},
                                 {"seed", place.seed},
                                 {"knobs", knobs_json(command)}});
  const Field json(answer, "Optuna");
  version_ = json["version"].text();
  for (const auto& one : json["tried"].entries()) tried_.push_back(tried_from(one));
}

Json Study::answer_to(const Json& question) {
  std::string line;
  try {
    line = python_.ask(question.dump(-1, ' ', true, Json::error_handler_t::replace));
  } catch (const std::runtime_error& ended) {
    throw BadInput(
        fmt::format("tune needs a Python with Optuna, and {}; name one with --python", ended.what()));
  }
  auto answer = parse_json(line, "Optuna");
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
}

}  // namespace harness::tune
