#include "workloads/training/floor.hpp"

#include <algorithm>

namespace workloads::training {

Work operator+(const Work& a, const Work& b) {
  return {a.bytes + b.bytes, a.flop + b.flop, a.link_bytes + b.link_bytes};
}

double floor_seconds(const Work& work, const Rates& rates) {
  const auto link = work.link_bytes > 0 ? work.link_bytes / rates.link_bytes : 0;
  return std::max({work.bytes / rates.bytes, work.flop / rates.flop, link});
}

std::vector<harness::Figure> floor_figures(const Work& naive, const Work& optimized, const Rates& rates) {
  constexpr double giga = 1e9;
  std::vector<harness::Figure> all{
      {"floor: bytes to move", "B", naive.bytes, optimized.bytes},
      {"floor: memory measured here", "GB/s", rates.bytes / giga, rates.bytes / giga},
      {"floor: arithmetic to do", "GFLOP", naive.flop / giga, optimized.flop / giga},
      {"floor: FP32 products measured here", "GFLOP/s", rates.flop / giga, rates.flop / giga}};
  if (naive.link_bytes + optimized.link_bytes > 0) {
    all.push_back({"floor: bytes to bring from the host", "B", naive.link_bytes, optimized.link_bytes});
    all.push_back({"floor: link measured here", "GB/s", rates.link_bytes / giga, rates.link_bytes / giga});
  }
  all.push_back({"floor", "s", floor_seconds(naive, rates), floor_seconds(optimized, rates)});
  return all;
}

}  // namespace workloads::training
