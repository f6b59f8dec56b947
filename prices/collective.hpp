// What ranks do together, and nccl-tests' two bandwidths of it.
#pragma once

#include <string_view>

namespace prices {

enum class Collective : int { all_reduce, broadcast, all_gather, reduce_scatter, barrier };

/// "all_reduce".
std::string_view to_string(Collective what);

/// The algorithm bandwidth is S / t. S is what is reduced or sent to all; of an all-gather what every rank
/// ends up with, of a reduce-scatter what every rank brings along. Times this factor it is the bus bandwidth:
/// what each rank has to send at least, so that it can be held against a link's rate however many ranks there
/// are. 0 of a barrier, which moves nothing. Source: nccl-tests, "Performance reported by NCCL tests".
double bus_factor(Collective what, int ranks);

}  // namespace prices
