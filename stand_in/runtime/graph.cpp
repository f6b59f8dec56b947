#include "stand_in/runtime/graph.hpp"

#include <algorithm>
#include <random>

namespace stand_in {

bool Graph::all_lead_to(const std::set<std::size_t>& ends) const {
  auto reached = ends;
  for (std::size_t i = nodes.size(); i-- > 0;)  // a node's number is above those of the nodes before it
    if (reached.contains(i)) reached.insert(nodes[i].after.begin(), nodes[i].after.end());
  return reached.size() == nodes.size();
}

std::vector<const Node*> Graph::ordered(std::optional<std::uint64_t> seed) const {
  std::vector<const Node*> order;
  if (!seed) {
    for (const auto& node : nodes) order.push_back(&node);
    return order;
  }
  std::mt19937_64 random(*seed);
  std::vector<std::size_t> missing;
  std::vector<std::vector<std::size_t>> next(nodes.size());
  std::vector<std::size_t> ready;
  for (const auto& node : nodes) {
    missing.push_back(node.after.size());
    if (node.after.empty()) ready.push_back(node.index);
    for (const auto before : node.after) next[before].push_back(node.index);
  }
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    const auto now = ready.back();
    ready.pop_back();
    order.push_back(&nodes[now]);
    for (const auto after : next[now])
      if (--missing[after] == 0) ready.push_back(after);
  }
  return order;
}

}  // namespace stand_in
