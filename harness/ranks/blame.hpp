// Which rank it was: what one rank does wrong is seen first by those that wait for it.
#pragma once

#include "harness/ranks/message.hpp"
#include "harness/ranks/rank_process.hpp"

#include <chrono>
#include <span>
#include <string>

namespace harness::ranks {

/// The rank that is at fault and what it did, as a sentence without a full stop: "rank 1 (process 4711) was
/// killed by signal 9 (Killed)". `others` are the ranks from 1 on, `replies` what all of them have said to
/// the last request; `own_reason` is what rank 0 has thrown, empty where it is done. Waits a second at most
/// for those whose reply is still open. Ranks that have ended are reaped.
std::string who_broke_it(std::span<RankProcess> others, std::span<const Reply> replies,
                         const std::string& own_reason, std::chrono::milliseconds patience);

}  // namespace harness::ranks
