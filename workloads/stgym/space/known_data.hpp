// What a configuration's task needs to know of the data sets, without loading one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace workloads::stgym::space {

/// `classes` are those of what it labels.
struct KnownData {
  std::string_view name;
  bool labels_nodes = false;
  bool labels_graphs = false;
  std::int64_t classes = 0;
};

/// "synthetic", and every layout that --data NAME=FILE knows.
std::span<const KnownData> known_data();

}  // namespace workloads::stgym::space
