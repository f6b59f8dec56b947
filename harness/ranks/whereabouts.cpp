#include "harness/ranks/whereabouts.hpp"

#include "harness/support/field.hpp"

#include <algorithm>
#include <cstddef>

namespace harness::ranks {

Share share_among(std::span<const Whereabouts> all, int rank) {
  const auto& own = all[static_cast<std::size_t>(rank)];
  Share share{.number = 0, .size = 0, .number_on_node = 0};
  for (int other = 0; std::cmp_less(other, all.size()); ++other) {
    const auto& one = all[static_cast<std::size_t>(other)];
    if (one.node != own.node) continue;
    if (other < rank) ++share.number_on_node;
    if (one.cpus != own.cpus) continue;
    if (other < rank) ++share.number;
    ++share.size;
  }
  return share;
}

int ranks_beside(std::span<const Whereabouts> all) {
  return static_cast<int>(std::ranges::count(all, all[0].node, &Whereabouts::node));
}

std::string whereabouts_to_json(const Whereabouts& one) {
  const Json json{{"node", one.node}, {"cpus", one.cpus}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Whereabouts whereabouts_from_json(std::string_view text) {
  const auto document = parse_json(text, "whereabouts");
  const Field json(document, "whereabouts");
  Whereabouts one{.node = json["node"].text(), .cpus = {}};
  for (const auto cpu : json["cpus"].integers()) one.cpus.push_back(static_cast<int>(cpu));
  return one;
}

}  // namespace harness::ranks
