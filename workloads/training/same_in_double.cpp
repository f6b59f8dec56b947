#include "workloads/training/same_in_double.hpp"

#include "harness/core/same_answer.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace workloads::training {
namespace {

/// An answer is kept in floats, which round by up to 1.2e-7.
constexpr harness::Tolerance in_double{.relative = 2e-7, .why = "FP64 rounds to 53 bits"};

/// As many as a rung compares in its own format: what goes wrong from the third on must show here too.
constexpr int steps = 3;

/// More samples show no more, and a batch norm wants a few.
constexpr std::int64_t largest_batch = 4;

at::Tensor as_double(const at::Tensor& values) {
  return values.is_floating_point() ? values.to(at::kDouble) : values;
}

/// All that is learned from: a batch has samples from anywhere.
Dataset in_double_alone(Dataset all) {
  all.validation = 0;
  all.get = [get = std::move(all.get)](std::int64_t i) {
    const auto sample = get(i);
    return Sample{as_double(sample.input), as_double(sample.target)};
  };
  return all;
}

std::vector<float> answer_of(Training training) {
  auto& [job, switches] = training;
  job.type = at::kDouble;
  job.batch_size = std::min(job.batch_size, largest_batch);
  job.dataset = std::make_shared<Dataset>(in_double_alone(*job.dataset));
  switches.compiled = false;
  Trainer trainer(job, switches);
  for (int i = 0; i < steps; ++i) trainer.step();
  return trainer.answer(/*with_gradients=*/true);
}

void require_same(const std::vector<float>& naive, const std::vector<float>& optimized) {
  try {
    harness::require_same(naive, optimized, in_double);
  } catch (const harness::Disagreement& error) {
    throw harness::Disagreement("in FP64 " + std::string(error.what()));
  }
}

}  // namespace

void check_same_in_double(const Training& naive, const Training& optimized) {
  require_same(answer_of(naive), answer_of(optimized));
}

void check_same_in_double(harness::Setup& setup, const Job& job, const Switches& naive,
                          const Switches& optimized) {
  const auto kept = [&](Switches switches) {
    switches.compiled = false;
    static_assert(std::has_unique_object_representations_v<Switches>);
    const std::string form(reinterpret_cast<const char*>(&switches), sizeof switches);
    return setup.shared<std::vector<float>>(job.name + "/in FP64/" + form,
                                            [&] { return answer_of({job, switches}); });
  };
  require_same(*kept(naive), *kept(optimized));
}

}  // namespace workloads::training
