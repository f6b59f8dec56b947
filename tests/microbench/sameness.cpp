#include "sameness.hpp"

#include "tests/gpu/require_device.hpp"
#include "tests/gpu/stand_in.hpp"
#include "tests/stand_in/rows/left_out.hpp"
#include "tests/stand_in/rows/sizes.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/cuda/check.hpp"
#include "harness/libtorch/torch_runtime.hpp"

#include "microbench/microbench_steps.hpp"

#include <ATen/Parallel.h>
#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <optional>

namespace sameness {
namespace {

using namespace harness;

/// A device made ready for steps, as a worker makes it.
struct Bench {
  explicit Bench(const Device& device) : torch(at::get_num_threads()) {
    setup.device = device;
    setup.stream = torch.stream_for(device);
  }
  void drain() const {
    if (setup.device.is_cuda()) check(cudaDeviceSynchronize());
  }
  /// Empty where the point cannot run here; `reason` then says why.
  std::optional<Trial> prepare(const Step& step, const Point& point, std::string& reason) {
    try {
      auto trial = step.prepare(setup, point);
      drain();  // uploads are set-up too
      return trial;
    } catch (const Skip& skip) {
      reason = skip.what();
    } catch (const std::exception& error) {
      const auto fault = fault_of(error, setup.device);
      if (!fault.out_of_memory) throw;
      reason = fault.sentence;
    }
    return std::nullopt;
  }
  TorchRuntime torch;
  Setup setup;
};

/// True if no size is larger than the axis's smallest. Labels name kinds of forms, and each is small.
bool smallest(const Step& step, const Point& point) {
  return std::ranges::all_of(step.axes, [&](const Axis& axis) {
    return axis.has_labels() || point[axis.name] <= std::ranges::min(axis.values);
  });
}

/// What the rehearsal does with a set; how often the naive form of a lesson in correctness was wrong.
int compare(const Trial& trial, const Step& step, const Bench& bench) {
  const auto& tolerance = tolerance_on(step, bench.setup.device);
  const auto drain = [&] { bench.drain(); };
  WrongAnswers wrong;
  if (trial.truth)
    count_wrong(trial, tolerance, drain, wrong);
  else
    check_same_answer(trial, tolerance, drain);
  return wrong.naive;
}

/// A comparison that a form without its work passes would show nothing.
void require_work(const Step& step, const Point& point, Bench& bench) {
  for (const auto idle : {Form::naive, Form::optimized}) {
    INFO("left undone: " << to_string(idle));
    std::string reason;
    auto trial = bench.prepare(step, point, reason);
    REQUIRE(trial);
    if (trial->truth && idle == Form::naive) continue;
    (idle == Form::naive ? trial->naive : trial->optimized) = [] {};
    CHECK_THROWS_AS(compare(*trial, step, bench), Disagreement);
  }
}

/// Compares the forms at the point; nothing where it cannot run here, else how often the naive form was
/// wrong.
std::optional<int> compare_at(const Step& step, const Point& point, Bench& bench, std::string& reason) {
  const auto trial = bench.prepare(step, point, reason);
  if (!trial) return std::nullopt;
  CHECK(static_cast<bool>(trial->truth) == step.naive_may_be_wrong);
  int wrong = 0;
  CHECK_NOTHROW(wrong = compare(*trial, step, bench));
  return wrong;
}

/// The points at sizes that the stand-in can do, each once; all of them where the device is a real one.
std::vector<Point> points_for(const Step& step, const Device& device) {
  const auto all = points(step, device);
  if (!device.is_cuda() || !on_stand_in()) return all;
  std::vector<Point> kept;
  for (const auto& whole : all) {
    auto point = rows::capped(step, whole);
    const auto name = row_name(step, point, device);
    const auto is_it = [&](const Point& other) { return row_name(step, other, device) == name; };
    if (std::ranges::none_of(kept, is_it) && rows::left_out(name) == nullptr)
      kept.push_back(std::move(point));
  }
  return kept;
}

/// On the host all points, on a device the smallest ones. Where none of these can run here: the first that
/// can.
void run(const Test& test) {
  const auto& step = *test.step;
  if (test.device.is_cuda()) require_device();
  Bench bench(test.device);
  auto all = points_for(step, test.device);
  if (all.empty()) {
    const auto point = rows::capped(step, points(step, test.device)[0]);
    SKIP("stand-in: " << *rows::left_out(row_name(step, point, test.device)));
  }
  const auto others = std::ranges::stable_partition(
      all, [&](const Point& point) { return !test.device.is_cuda() || smallest(step, point); });
  std::optional<Point> compared;
  int wrong = 0;
  std::string reason;
  for (auto point = all.begin(); point != all.end(); ++point) {
    if (point >= others.begin() && compared) break;
    INFO(row_name(step, *point, test.device));
    const auto wrong_here = compare_at(step, *point, bench, reason);
    if (wrong_here && !compared) compared = *point;
    wrong += wrong_here.value_or(0);
  }
  if (!compared) SKIP(reason);
  // A race on a device may be won each time; what the host shows does not depend on luck.
  if (step.naive_may_be_wrong && !test.device.is_cuda()) CHECK(wrong > 0);
  require_work(step, *compared, bench);
}

/// Catch2's own invoker takes a plain function, which could not say of which step it is.
class Invoker final : public Catch::ITestInvoker {
 public:
  explicit Invoker(const Test& test) : test_(test) {}
  void invoke() const override { run(test_); }

 private:
  Test test_;
};

}  // namespace

std::vector<Test> tests() {
  std::vector<Test> all;
  for (const auto* step : microbench::steps()) {
    if (step->runs != Runs::cuda) all.push_back({step, {}});
    if (step->runs != Runs::host) all.push_back({step, {Device::Kind::cuda, 0}});
  }
  return all;
}

std::string name_of(const Test& test) {
  return std::string(test.step->id) + " gives the same answer both ways on " +
         (test.device.is_cuda() ? "a device" : "the host");
}

void register_tests() {
  for (const auto& test : tests()) {
    const auto name = name_of(test);
    const Catch::AutoReg registered(Catch::Detail::make_unique<Invoker>(test), CATCH_INTERNAL_LINEINFO,
                                    Catch::StringRef(),
                                    {name, test.device.is_cuda() ? "[sameness][gpu]" : "[sameness]"});
  }
}

}  // namespace sameness
