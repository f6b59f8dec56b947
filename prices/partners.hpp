// The processes that collectives are priced with, of which this one is rank 0, and a collective that all
// ranks call at once.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/libtorch/other_ranks.hpp"
#include "harness/libtorch/rank.hpp"
#include "harness/support/fd.hpp"

#include "prices/price_list.hpp"

namespace prices {

/// Calls of a collective, one behind the other.
struct Exchange {
  Collective what = Collective::barrier;
  std::int64_t bytes = 0;  // S of bus_factor(): whole floats, as many for each rank
  std::int64_t calls = 1;
  std::int64_t checked = 0;  // 1: one call more, whose result every rank checks
};

/// Started when it is made, killed and reaped when it goes. Each rank has CPUs of its own and one thread, or
/// a device.
class Partners {
 public:
  /// Throws harness::Skip where the ranks have no room here.
  Partners(const harness::Device& first, int size);

  /// Seconds of all calls, the slowest rank's. Throws as OtherRanks does; no further exchange works then.
  double run(const Exchange& exchange);

 private:
  harness::Device device_;
  harness::Fd meeting_;
  std::vector<int> cpus_;  // rank 0's
  harness::Group group_;
  harness::OtherRanks others_;  // last: they go first
};

/// `--prices --rank`: the life of a rank other than 0; `words` are its number, the size, the device and its
/// parent. Gives the exit code.
int partner_main(std::span<const std::string_view> words);

}  // namespace prices
