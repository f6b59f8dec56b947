// Published figures as numbers, where their text says two of them: to be marked beside what was measured.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace harness::page {

/// "21 -> 19 s/epoch (A30)". `ratio` is that of the times, as in a row: below 1 the change made it faster.
struct PublishedPair {
  double before = 0;
  double after = 0;
  std::string unit;   // "s/epoch"
  std::string where;  // "A30"; empty where the text does not say
  double ratio = 1;
  bool operator==(const PublishedPair&) const = default;
};

/// The pairs of such a text, one for each clause between semicolons that begins with one and has no second.
/// Only units of time, and rates of them ("GB/s"): everything else says nothing about a row's ratio.
std::vector<PublishedPair> published_pairs(std::string_view text);

}  // namespace harness::page
