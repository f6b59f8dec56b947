#include "harness/ranks/blame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace harness::ranks {
namespace {

/// How near to the cause a rank is, the nearest first.
enum class Guilt { died, threw, silent, lost_another, none };

struct Finding {
  Guilt guilt = Guilt::none;
  std::string sentence;
};

bool says(std::string_view reason, std::string_view words) { return reason.find(words) != reason.npos; }

/// Gloo's and NCCL's words for a peer that is gone or late.
bool speaks_of_another(std::string_view reason) {
  return says(reason, "gloo/") || says(reason, "NCCL") || says(reason, "not all ranks came");
}

Finding look_at(const std::string& name, const Reply& reply) {
  const std::string why = reply.why;
  if (reply.end == End::done || reply.end == End::open) return {};
  if (reply.end == End::died) return {Guilt::died, name + " " + why};
  if (reply.end == End::silent) return {Guilt::silent, name + " " + why};
  return {speaks_of_another(why) ? Guilt::lost_another : Guilt::threw, name + ": " + why};
}

}  // namespace

std::string who_broke_it(std::span<const std::string> names, std::span<const Reply> replies,
                         const std::string& own_reason) {
  std::vector<Finding> findings;
  for (std::size_t i = 1; i < replies.size(); ++i) findings.push_back(look_at(names[i], replies[i]));
  const auto own = fmt::format("{}: {}", names[0], own_reason);
  if (!own_reason.empty() && !speaks_of_another(own_reason)) findings.push_back({Guilt::threw, own});
  const auto first = std::ranges::min_element(findings, {}, &Finding::guilt);
  return first == findings.end() || first->guilt == Guilt::none ? own : first->sentence;
}

}  // namespace harness::ranks
