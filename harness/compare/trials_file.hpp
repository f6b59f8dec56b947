// The trials in a file from `tune --json`, as far as TensorBoard's page of hyperparameters shows them.
#pragma once

#include "harness/support/field.hpp"
#include "harness/tensorboard/trials.hpp"

#include <string>
#include <vector>

namespace harness::compare {

struct Search {
  std::vector<tensorboard::Trial> trials;
};

/// A setting that is a number as text counts as one. Trials are taken to have run one after the other. Throws
/// BadInput naming the field.
Search read_search(const Json& document, const std::string& name);

}  // namespace harness::compare
