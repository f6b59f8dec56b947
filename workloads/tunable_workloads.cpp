#include "workloads/tunable_workloads.hpp"

#include "workloads/stgym/knobs.hpp"
#include "workloads/training/knobs.hpp"

#include <algorithm>
#include <vector>

namespace workloads {

using harness::catalogue::TunableWorkload;

std::span<const TunableWorkload> tunable_workloads() {
  static const auto all = [] {
    std::vector<TunableWorkload> list{stgym::tunable()};
    const auto models = training::tunable_models();
    list.insert(list.end(), models.begin(), models.end());
    return list;
  }();
  return all;
}

const TunableWorkload* tunable_workload(std::string_view workload) {
  const auto all = tunable_workloads();
  const auto found = std::ranges::find(all, workload, &TunableWorkload::workload);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace workloads
