// The processes that collectives are priced with: this one is rank 0.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/ranks/other_ranks.hpp"
#include "harness/ranks/rank.hpp"
#include "harness/support/fd.hpp"

#include "prices/exchange.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace prices {

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
  harness::ranks::Group group_;
  harness::ranks::OtherRanks others_;  // last: they go first
};

/// `--prices --rank`: the life of a rank other than 0; `words` are its number, the size, the device and its
/// parent. Gives the exit code.
int partner_main(std::span<const std::string_view> words);

}  // namespace prices
