#include "harness/libtorch/replay.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string_view>
#include <utility>

namespace harness::inline libtorch {
namespace {

using torch::jit::Stack;

/// Long enough that the clock's own time does not show.
constexpr double least_seconds = 2e-3;

/// Puts back what `apply` changed.
class KeepSettings {
 public:
  KeepSettings() : before_(settings_now()) {}
  KeepSettings(const KeepSettings&) = delete;
  KeepSettings& operator=(const KeepSettings&) = delete;
  ~KeepSettings() { apply(before_); }

 private:
  OperatorSettings before_;
};

void run_once(const OperatorSequence& calls) {
  const OperatorSettings* now = nullptr;
  for (const auto* call : calls) {
    if (now == nullptr || !(*now == call->settings)) apply(call->settings);
    now = &call->settings;
    const c10::InferenceMode inference(call->settings.inference);
    if (!call->settings.inference) c10::GradMode::set_enabled(call->settings.gradients);
    Stack stack = call->inputs;
    call->op->callBoxed(stack);
  }
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// What operators have written over and over would leave the range of its type, and denormal numbers are
/// slow.
void restore(const OperatorSequence& calls) {
  const c10::NoGradGuard without_gradients;
  for (const auto* call : calls)
    for (const auto& input : call->written) at::Tensor(input.copy).copy_(input.before);
}

/// Seconds of one pass, the mean over `times` of them.
double mean_pass(const OperatorSequence& calls, std::int64_t times) {
  const auto writes = [](const OperatorCall* call) { return !call->written.empty(); };
  const auto passes = static_cast<double>(times);
  if (std::ranges::none_of(calls, writes))
    return seconds_of([&] {
             for (std::int64_t done = 0; done < times; ++done) run_once(calls);
           }) /
           passes;
  double used = 0;
  for (std::int64_t done = 0; done < times; ++done) {
    restore(calls);
    used += seconds_of([&] { run_once(calls); }) - seconds_of([] {});
  }
  return used / passes;
}

/// What a call by its record takes longer than one from C++: the smallest operator, both ways.
double seconds_of_a_record() {
  constexpr int calls = 500;
  constexpr int repetitions = 40;
  const c10::NoGradGuard without_gradients;
  const auto one = at::ones({1});
  const OperatorCall call{.op = c10::Dispatcher::singleton().findSchemaOrThrow("aten::add", "Tensor"),
                          .inputs = {one, one, at::Scalar(1)},
                          .settings = settings_now()};
  const OperatorSequence calls_of_one(calls, &call);
  // The least of each: whatever else runs here only adds.
  double recorded = std::numeric_limits<double>::infinity();
  double direct = recorded;
  for (int i = 0; i < repetitions; ++i) {
    recorded = std::min(recorded, seconds_of([&] { run_once(calls_of_one); }) / calls);
    direct = std::min(direct, seconds_of([&] {
                                for (int done = 0; done < calls; ++done) one.add(one);
                              }) / calls);
  }
  return std::max(0.0, recorded - direct);
}

/// LibTorch adds where it was thrown.
std::string first_line(std::string_view message) {
  return std::string(message.substr(0, message.find('\n')));
}

}  // namespace

ReplayTimes replay(std::span<const OperatorSequence> sequences, int turns) {
  const KeepSettings kept;
  ReplayTimes times;
  const double each = seconds_of_a_record();
  std::vector<std::int64_t> passes;
  try {
    for (const auto& calls : sequences) {
      run_once(calls);
      const double pass = seconds_of([&] { run_once(calls); });
      passes.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(least_seconds / (pass + 1e-7))));
    }
    for (int turn = 0; turn < turns; ++turn) {
      auto& seconds = times.turns.emplace_back();
      for (std::size_t i = 0; i < sequences.size(); ++i) {
        const auto& calls = sequences[i];
        const double pass = calls.empty() ? 0 : mean_pass(calls, passes[i]);
        seconds.push_back(std::max(0.0, pass - each * static_cast<double>(calls.size())));
      }
    }
  } catch (const std::exception& error) {
    times = {.turns = {}, .reason = first_line(error.what())};
  }
  return times;
}

}  // namespace harness::inline libtorch
