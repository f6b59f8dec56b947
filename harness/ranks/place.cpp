#include "harness/ranks/place.hpp"

#include "harness/core/setup.hpp"

#include <ATen/Parallel.h>
#include <fmt/format.h>

namespace harness::ranks {

std::vector<int> share_of(std::span<const int> cpus, int number, int size) {
  const auto all = cpus.size();
  const auto ranks = static_cast<std::size_t>(size);
  const auto rank = static_cast<std::size_t>(number);
  if (all < ranks)
    throw Skip(fmt::format("needs {} CPUs, one for each rank; this process may use {}", size, all));
  const auto share = cpus.subspan(rank * all / ranks, (rank + 1) * all / ranks - rank * all / ranks);
  return {share.begin(), share.end()};
}

OneRanksThreads::OneRanksThreads(std::span<const int> cpus) : threads_before_(at::get_num_threads()) {
  move_to(cpus);
  if (threads_before_ != 1) at::set_num_threads(1);
}

OneRanksThreads::~OneRanksThreads() {
  if (threads_before_ != 1) at::set_num_threads(threads_before_);
}

}  // namespace harness::ranks
