// The nodes of a fleet side by side, for a person and for other programs.
#pragma once

#include "harness/compare/merge.hpp"
#include "harness/support/terminal.hpp"

#include <string>

namespace harness::compare {

/// A table for each row (with `outliers_only` those that somebody stands apart in), the nodes, what was left
/// out, and a sentence that names the outliers.
std::string fleet_text(const Fleet& fleet, bool outliers_only, const Style& style);

/// Why there is nothing to compare, as a sentence, and what was left out.
std::string nothing_text(const Fleet& fleet, const Style& style);

/// The same as JSON: results/schema/merge.schema.json.
Json fleet_json(const Fleet& fleet);

}  // namespace harness::compare
