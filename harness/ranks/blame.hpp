// Which rank it was: what one rank does wrong is seen first by those that wait for it.
#pragma once

#include "harness/ranks/message.hpp"

#include <span>
#include <string>

namespace harness::ranks {

/// The rank that is at fault and what it did, as a sentence without a full stop: "rank 1 (process 4711) was
/// killed by signal 9 (Killed)". `replies` is the last word of each rank; of rank 0, whose reply stays open,
/// `own_reason` is what it has thrown, empty where it is done.
std::string who_broke_it(std::span<const std::string> names, std::span<const Reply> replies,
                         const std::string& own_reason);

}  // namespace harness::ranks
