// JSON that PyTorch or Kineto wrote wrongly, made readable.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace harness::trace {

/// An object or a list as JSON allows it: bytes that are not UTF-8 become U+FFFD, control characters in
/// strings '?', a last comma goes, and of a string that a backslash seems to keep open ("C:\") all
/// backslashes are escaped.
struct Repaired {
  std::string text;
  std::size_t length = 0;    // of what stood in the file
  bool whole = false;        // false: the file ended first
  bool odd_bracket = false;  // the object ends as a list does, or the list as an object
  bool bytes = false;        // there were some that are not UTF-8
  bool controls = false;
  bool backslashes = false;
  std::string_view odd_string;  // the first that is followed by what cannot follow a string; empty: none
};

/// The object or list at the start of `json`.
Repaired repaired(std::string_view json);

}  // namespace harness::trace
