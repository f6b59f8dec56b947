// What can be told apart in a kernel's name, written out or mangled.
#pragma once

#include <string>
#include <string_view>

namespace harness::trace {

/// Of "void space::function<arguments>(int)"; what the function is called with is left out.
struct NameParts {
  std::string qualified;  // "space::function"
  std::string templates;  // "arguments"

  /// "function"
  std::string_view own() const;
};
NameParts name_parts(std::string_view kernel);

/// The text with its capital letters made small.
std::string in_lower_case(std::string_view text);

}  // namespace harness::trace
