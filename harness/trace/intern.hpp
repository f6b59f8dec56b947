// Each distinct name once, as a small number.
#pragma once

#include "harness/support/shown.hpp"
#include "harness/trace/trace.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace harness::trace {

/// Names as they stand in the JSON text, between the quotes; those with escapes are kept unescaped in `own`.
class Interner {
 public:
  /// The number of a name in JSON spelling. Throws std::invalid_argument where an escape is malformed.
  NameId intern(std::string_view spelled);

  std::vector<std::string_view> names;
  /// Storage of the names that had to be unescaped or cleaned; the views stay valid when it is moved.
  std::deque<std::string> own;

 private:
  NameId add(std::string_view name);

  std::unordered_map<std::string_view, NameId> ids_;  // by the name itself, without escapes
};

using support::printable;

/// JSON text between quotes as UTF-8. Throws std::invalid_argument where an escape is malformed.
std::string unescaped(std::string_view spelled);

}  // namespace harness::trace
