// The trials in a file from `tune --json`, as far as TensorBoard's page of hyperparameters shows them.
#pragma once

#include "harness/support/field.hpp"
#include "harness/tensorboard/trials.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace harness::compare {

/// What such a file says of itself in `schema`.
inline constexpr std::string_view search_schema = "tuneproof-tune/1";

struct Search {
  std::vector<tensorboard::Trial> trials;
};

/// True if the document says that it is one.
bool is_search(const Json& document);

/// Reads `started` and, of each of `trials`, `number`, `state`, `seconds`, `settings` and, where they are
/// there, `seconds_per_sample`, `peak_bytes` and `loss`. A setting that is a number as text counts as one.
/// Trials are taken to have run one after the other. Throws BadInput naming the field.
Search read_search(const Json& document, const std::string& name);

}  // namespace harness::compare
