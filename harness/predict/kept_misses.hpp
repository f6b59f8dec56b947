// What earlier rows tell: their misses, kept on this machine beside its prices, and what results/ measured.
#pragma once

#include "harness/predict/known_rows.hpp"
#include "harness/predict/misses.hpp"

#include <functional>
#include <string>
#include <vector>

namespace harness::predict {

struct Earlier {
  std::vector<Miss> misses;
  std::vector<Known> rows;
};

/// Misses of earlier sessions here, then what is shipped. Leaves out a file that cannot be read, and reports
/// it to `say`.
Earlier earlier_rows(const std::function<void(const std::string& line)>& say);

/// Keeps the misses of a session, unless the stand-in ran it. Reports to `say` where they cannot be kept.
void keep_misses(const results::Results& results, const std::function<void(const std::string& line)>& say);

}  // namespace harness::predict
