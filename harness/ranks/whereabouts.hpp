// Where the processes of a job run, and what each may use there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness::ranks {

struct Whereabouts {
  std::string node;
  std::vector<int> cpus;  // that the process may use
};

/// A rank among those that have the same processors, and among those of its node.
struct Share {
  int number = 0;
  int size = 1;
  int number_on_node = 0;
};

/// Ranks that a launcher has bound to processors of their own share them with nobody.
Share share_among(std::span<const Whereabouts> all, int rank);

/// How many of the ranks are on rank 0's node.
int ranks_beside(std::span<const Whereabouts> all);

std::string whereabouts_to_json(const Whereabouts& one);
/// Throws BadInput where it is malformed.
Whereabouts whereabouts_from_json(std::string_view text);

}  // namespace harness::ranks
