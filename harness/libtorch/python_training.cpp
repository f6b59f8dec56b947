#include "harness/libtorch/python_training.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/field.hpp"

namespace harness::inline libtorch {
namespace {

constexpr auto python = "python3";

std::string plan_json(const PythonPlan& plan) {
  return Json{{"batches", plan.batches},   {"validation_batches", plan.validation_batches},
              {"width", plan.width},       {"callbacks", plan.callbacks},
              {"defaults", plan.defaults}, {"profiler", plan.profiler},
              {"threads", plan.threads},   {"seed", plan.seed}}
      .dump();
}

Conversation started(const PythonPlan& plan) {
  try {
    return Conversation(python_script(python, lightning_loop(), {plan_json(plan)}));
  } catch (const BadInput& error) {
    throw Skip(std::string("Lightning needs Python: ") + error.what());
  }
}

/// Throws what the program says instead of an answer.
Json answer_of(const std::string& line) {
  auto json = parse_json(line, python);
  const Field answer(json, python);
  if (const auto missing = answer.find("missing"))
    throw Skip(std::string(python) + " of PATH has no " + missing->text() +
               "; install it with: pip install lightning");
  if (const auto failed = answer.find("failed"))
    throw std::runtime_error("the training in Python has failed: " + failed->text());
  return json;
}

}  // namespace

PythonTraining::PythonTraining(const PythonPlan& plan) : python_(started(plan)) {
  answer_of(python_.listen());
}

std::vector<float> PythonTraining::ask(std::string_view word) {
  const auto json = answer_of(python_.ask(word));
  std::vector<float> losses;
  for (const auto loss : Field(json, python)["losses"].numbers()) losses.push_back(static_cast<float>(loss));
  return losses;
}

void PythonTraining::restart() { ask("restart"); }
void PythonTraining::epoch_in_lightning() { ask("lightning"); }
void PythonTraining::plain_epoch() { ask("plain"); }
std::vector<float> PythonTraining::losses() { return ask("losses"); }

}  // namespace harness::inline libtorch
