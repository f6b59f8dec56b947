// A GPT that trains in milliseconds.
#pragma once

#include "workloads/gpt/gpt_data.hpp"
#include "workloads/gpt/gpt_model.hpp"
#include "workloads/training/job.hpp"

#include <memory>
#include <string>

namespace workloads::training {

inline Network small_gpt(at::TensorOptions options) {
  return gpt::network(
      {.vocabulary = gpt::vocabulary, .block = gpt::piece_length, .layers = 1, .heads = 2, .width = 16},
      options);
}

inline Job small_job() {
  auto data = gpt::pieces(std::string(gpt::own_text()), "docs", 12, 8);
  return {.name = "small",
          .dataset = std::make_shared<const Dataset>(data),
          .make = small_gpt,
          .gain = 0.05,
          .recipe = {.learning_rate = 1e-2, .weight_decay = 0.1, .decays_matrices_only = true},
          .clip = 1,
          .batch_size = 4,
          .seed = 5};
}

}  // namespace workloads::training
