#include "harness/run/list_claims.hpp"

#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <sstream>

namespace harness::run {
namespace {

constexpr auto of_a_step = "step";

std::string_view fate_text(ClaimFate fate) {
  switch (fate) {
    case ClaimFate::finding:
      return "finding";
    case ClaimFate::refused:
      return "refused";
    case ClaimFate::planned:
      break;
  }
  return "planned";
}

/// The claims of the steps; one that several steps cover stands once.
std::vector<ClaimLine> of_steps(const catalogue::Catalogue& catalogue) {
  std::vector<ClaimLine> lines;
  for (const auto& step : catalogue.steps) {
    std::istringstream ids(step.claim_ids);
    for (std::string id; ids >> id;) {
      const auto known = std::ranges::find(lines, id, &ClaimLine::id);
      if (known == lines.end())
        lines.push_back({id, of_a_step, step.id});
      else
        known->what += ", " + step.id;
    }
  }
  return lines;
}

}  // namespace

std::vector<ClaimLine> claim_lines(const catalogue::Catalogue& catalogue, std::span<const Claim> others,
                                   std::optional<ClaimFate> only) {
  auto lines = only ? std::vector<ClaimLine>() : of_steps(catalogue);
  for (const auto& claim : others)
    if (!only || claim.fate == *only)
      lines.push_back({std::string(claim.id), std::string(fate_text(claim.fate)), std::string(claim.what)});
  return lines;
}

std::string claims_text(const std::vector<ClaimLine>& lines, const Style& style) {
  constexpr int id_columns = 28;
  if (lines.empty()) return "No claim is only planned: each is a step, a finding, or refused (--claims).\n";
  std::string out;
  std::map<std::string, int> counts;
  for (const auto& line : lines) {
    ++counts[line.fate];
    const auto lead = fmt::format("{:{}} {:8} ", line.id, id_columns, line.fate);
    out += indented(lead, line.what, static_cast<int>(lead.size()), style);
  }
  std::vector<std::string> parts;
  for (const auto& [fate, count] : counts) parts.push_back(fmt::format("{} {}", count, fate));
  out += fmt::format("\n{} claims: {}.\n", lines.size(), fmt::join(parts, ", "));
  return out;
}

nlohmann::ordered_json claims_json(const std::vector<ClaimLine>& lines) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& line : lines) all.push_back({{"id", line.id}, {"fate", line.fate}, {"what", line.what}});
  return {{"claims", std::move(all)}};
}

}  // namespace harness::run
