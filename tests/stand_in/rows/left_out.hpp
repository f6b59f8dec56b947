// Rows that the stand-in leaves out, each with its reason.
#pragma once

#include <span>
#include <string>

namespace rows {

struct LeftOut {
  std::string row;
  std::string why;
};

std::span<const LeftOut> all_left_out();
/// Why the row is left out; null if it is not.
const std::string* left_out(const std::string& row);

}  // namespace rows
