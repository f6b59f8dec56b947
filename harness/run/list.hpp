// `tuneproof list`: what steps there are, and what became of each published claim.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/catalogue/program.hpp"
#include "harness/core/published.hpp"
#include "harness/support/terminal.hpp"

namespace harness::run {

/// Declares the subcommand.
void add_list(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

struct ListText {
  bool long_form = false;  // with devices, whole claims and sources
  bool lessons = true;     // says how to read them
};

/// Each step on a line: id, rows of the quick suite and of the full one, the beginning of its claim.
std::string list_text(const std::vector<const catalogue::Step*>& steps, const Style& style,
                      const ListText& how = {});

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

}  // namespace harness::run
