// What a selection takes of the made-up catalogue, and what it says where it takes nothing.
#pragma once

#include "tests/harness/catalogue/made_up_catalogue.hpp"

#include "harness/run/select.hpp"

#include <string>
#include <vector>

namespace tests {

using Names = std::vector<std::string>;

inline const harness::catalogue::Catalogue& made_up() {
  static const auto made = harness::example::catalogue();
  return made;
}

inline Names names(const harness::run::Selection& selection) {
  Names all;
  for (const auto& planned : harness::run::select_rows(made_up(), selection)) all.push_back(planned.name);
  return all;
}

inline std::string complaint(const harness::run::Selection& selection) {
  try {
    harness::run::select_rows(made_up(), selection);
  } catch (const harness::BadInput& error) {
    return error.what();
  }
  return "no complaint";
}

}  // namespace tests
