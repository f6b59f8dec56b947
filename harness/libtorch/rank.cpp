#include "harness/libtorch/rank.hpp"

#include "harness/libtorch/place.hpp"
#include "harness/libtorch/process_group.hpp"
#include "harness/machine/numa.hpp"

#include <torch/csrc/distributed/c10d/HashStore.hpp>

namespace harness::inline libtorch {
namespace {

/// One to a setup.
struct Seat {
  mutable bool others_can_come = false;
  mutable std::shared_ptr<const Rank> rank = nullptr;
};

std::shared_ptr<const Seat> seat_of(Setup& setup) {
  return setup.shared<Seat>("ranks/seat", [] { return Seat(); });
}

}  // namespace

Seated::Seated(Setup& setup, std::shared_ptr<const Rank> rank) : setup_(setup) {
  const auto seat = seat_of(setup);
  seat->others_can_come = true;
  seat->rank = std::move(rank);
}

Seated::~Seated() {
  const auto seat = seat_of(setup_);
  seat->others_can_come = false;
  seat->rank = nullptr;
}

std::shared_ptr<const Rank> rank_of(Setup& setup) {
  const auto seat = seat_of(setup);
  if (seat->rank) return seat->rank;
  if (seat->others_can_come) throw RanksWanted();
  return setup.shared<Rank>("ranks/alone/" + to_string(setup.device), [&] {
    require_devices(setup.device, 1);
    // No file: NCCL asks the store for its address in the first collective only.
    auto group = join({.store = c10::make_intrusive<c10d::HashStore>(), .device = setup.device});
    return Rank(0, 1, std::move(group), cpus_of_this_thread());
  });
}

}  // namespace harness::inline libtorch
