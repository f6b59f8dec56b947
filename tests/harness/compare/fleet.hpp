// Results files of made-up nodes, for the tests of what compares them.
#pragma once

#include "tests/harness/compare/example.hpp"

#include "harness/compare/merge.hpp"

#include <string>
#include <vector>

namespace harness::example {

inline Json node(const std::string& host, const std::vector<RowText>& rows) {
  auto json = results(rows);
  json["tuneproof"]["session"]["id"] = "session of " + host;
  json["tuneproof"]["fingerprint"]["info"]["host_name"] = host;
  return json;
}

inline compare::Fleet merged(const std::vector<Json>& nodes) {
  std::vector<results::Results> runs;
  for (std::size_t i = 0; i < nodes.size(); ++i) runs.push_back(run(nodes[i], std::to_string(i) + ".json"));
  return compare::merge_runs(runs);
}

/// Three nodes alike, and "n4" whose optimized form takes a fifth longer.
inline std::vector<Json> one_slow_of_four() {
  return {node("n1", {{}}), node("n2", {{}}), node("n3", {{}}), node("n4", {RowText{.optimized_ns = 6e5}})};
}

}  // namespace harness::example
