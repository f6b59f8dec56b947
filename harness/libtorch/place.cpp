#include "harness/libtorch/place.hpp"

#include "harness/cuda/check.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/json_members.hpp"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>

namespace harness::inline libtorch {

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

void require_devices(const Device& first, int size) {
  if (!first.is_cuda()) return;
  int count = 0;
  check(cudaGetDeviceCount(&count));
  const int left = count - first.index;
  if (left < size)
    throw Skip(
        fmt::format("needs {} CUDA devices from {} on, one for each rank, and there {} {}: NCCL takes no "
                    "two ranks on one device (--ranks 1 runs one rank alone)",
                    size, to_string(first), left == 1 ? "is" : "are", left));
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, first.index));
  if (results::is_stand_in(properties.name)) throw Skip("NCCL cannot run on the stand-in");
}

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

namespace {

constexpr auto whereabouts_members = [](auto& each, auto& one) {
  each("node", one.node);
  each("cpus", one.cpus);
};

}  // namespace

std::string whereabouts_to_json(const Whereabouts& one) {
  return one_line(json_by(whereabouts_members, one));
}

Whereabouts whereabouts_from_json(std::string_view text) {
  const auto document = parse_json(text, "whereabouts");
  return read_by<Whereabouts>(whereabouts_members, Field(document, "whereabouts"));
}

}  // namespace harness::inline libtorch
