#include "workloads/training/same_in_double.hpp"

#include "harness/core/same_answer.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace workloads::training {
namespace {

constexpr harness::Tolerance in_double{.relative = 1e-6, .why = "FP64 rounds to 53 bits"};

/// A moment is used from the second update on.
constexpr int steps = 2;

/// More samples show no more, and a batch norm wants a few.
constexpr std::int64_t largest_batch = 4;

at::Tensor as_double(const at::Tensor& values) {
  return values.is_floating_point() ? values.to(at::kDouble) : values;
}

Dataset few_in_double(const Dataset& all, std::int64_t batch_size) {
  auto few = part_of(all, std::max<std::int64_t>(1, all.training / (steps * batch_size)), batch_size);
  few.get = [get = std::move(few.get)](std::int64_t i) {
    const auto sample = get(i);
    return Sample{as_double(sample.input), as_double(sample.target)};
  };
  return few;
}

std::vector<float> answer_of(Training training) {
  auto& [job, switches] = training;
  job.type = at::kDouble;
  job.batch_size = std::min(job.batch_size, largest_batch);
  job.dataset = std::make_shared<Dataset>(few_in_double(*job.dataset, job.batch_size));
  switches.compiled = false;
  Trainer trainer(job, switches);
  for (int i = 0; i < steps; ++i) trainer.step();
  return trainer.answer(/*with_gradients=*/true);
}

}  // namespace

void check_same_in_double(const Training& naive, const Training& optimized) {
  try {
    harness::require_same(answer_of(naive), answer_of(optimized), in_double);
  } catch (const harness::Disagreement& error) {
    throw harness::Disagreement("in FP64 " + std::string(error.what()));
  }
}

}  // namespace workloads::training
