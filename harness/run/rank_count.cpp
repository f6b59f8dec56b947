#include "harness/run/rank_count.hpp"

#include "harness/core/parse_number.hpp"

#include <fmt/format.h>

namespace harness::run {

int rank_count(const Options& options) {
  constexpr int otherwise = 2;
  constexpr int most_ranks = 1024;
  const auto found = options.find("ranks");
  if (found == options.end()) return otherwise;
  const auto size = parse_number<int>(found->second);
  if (!size || *size < 1 || *size > most_ranks)
    throw BadInput(
        fmt::format("--ranks '{}': expected a number of processes from 1 to {}", found->second, most_ranks));
  return *size;
}

void require_ranks_of(const JobPlace& launch, const Options& options) {
  if (options.contains("ranks") && rank_count(options) != launch.size)
    throw BadInput(fmt::format("--ranks {}: this job has {} processes, and they are the ranks",
                               rank_count(options), launch.size));
}

}  // namespace harness::run
