#include "workloads/training/largest_batch.hpp"

#include <algorithm>

namespace workloads::training {

std::int64_t largest_batch(std::int64_t guess, const std::function<bool(std::int64_t)>& fits) {
  constexpr std::int64_t most = std::int64_t{1} << 24;  // samples: nobody's memory holds more
  constexpr std::int64_t sixteenth = 16;
  auto good = std::clamp<std::int64_t>(guess, 1, most), bad = good;
  if (fits(good)) {
    do {
      good = bad;
      bad *= 2;
    } while (bad <= most && fits(bad));
  } else {
    do {
      bad = good;
      good /= 2;
    } while (good > 0 && !fits(good));
  }
  while (bad - good > std::max<std::int64_t>(1, good / sixteenth)) {
    const auto middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace workloads::training
