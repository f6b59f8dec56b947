// `tuneproof list --claims`: what became of each published claim.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/published.hpp"
#include "harness/support/terminal.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace harness::run {

/// One claim. `fate` is "step", "finding", "refused" or "planned"; `what` has the steps that cover it, where
/// it is found, or why there is no step.
struct ClaimLine {
  std::string id, fate, what;
  bool operator==(const ClaimLine&) const = default;
};

/// All claims: first those of the steps in table order, then the others. `only` leaves those of one fate.
std::vector<ClaimLine> claim_lines(const catalogue::Catalogue& catalogue, std::span<const Claim> others,
                                   std::optional<ClaimFate> only);

std::string claims_text(const std::vector<ClaimLine>& lines, const Style& style);
nlohmann::ordered_json claims_json(const std::vector<ClaimLine>& lines);

}  // namespace harness::run
