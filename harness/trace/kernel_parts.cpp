#include "harness/trace/kernel_parts.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace harness::trace {
namespace {

bool is_decimal(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The number that begins there; no larger than the name is long. `at` goes behind it.
std::size_t number_at(std::string_view name, std::size_t& at) {
  std::size_t number = 0;
  for (; at < name.size() && is_decimal(name[at]); ++at)
    number = std::min(number * 10 + static_cast<std::size_t>(name[at] - '0'), name.size());
  return number;
}

/// "_ZN5space8functionIN5other1tELi7EEvv": lengths stand before names; the first other letter behind a name
/// begins the arguments, where a number behind E or behind L and a type is a value.
NameParts mangled_parts(std::string_view name) {
  NameParts parts;
  bool in_arguments = false;
  for (auto at = std::min(name.find_first_of("0123456789"), name.size()); at < name.size();) {
    if (!is_decimal(name[at])) {
      in_arguments = true;
      ++at;
      continue;
    }
    const bool value = in_arguments && (name[at - 1] == 'E' || name[at - 2] == 'L');
    const auto length = number_at(name, at);
    if (value) continue;
    (in_arguments ? parts.templates += ", " : parts.qualified += "::") += name.substr(at, length);
    at = std::min(at + length, name.size());
  }
  return parts;
}

NameParts written_parts(std::string_view name) {
  constexpr std::string_view anonymous = "(anonymous namespace)";
  const bool code = name.find_first_of("<(") != name.npos;  // else a blank is part of the name
  NameParts parts;
  int depth = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (c == '>' && depth > 0) --depth;
    if (depth > 0) {
      parts.templates += c;
    } else if (name.substr(at).starts_with(anonymous)) {
      at += anonymous.size() - 1;
    } else if (c == '(') {
      break;
    } else if (c == ' ' && code) {
      parts = {};  // that was the return type
    } else if (c != '<' && c != '>') {
      parts.qualified += c;
    }
    if (c == '<') ++depth;
  }
  return parts;
}

}  // namespace

std::string_view NameParts::own() const {
  const auto at = qualified.rfind("::");
  return std::string_view(qualified).substr(at == qualified.npos ? 0 : at + 2);
}

NameParts name_parts(std::string_view kernel) {
  if (kernel.ends_with(".kd")) kernel.remove_suffix(3);  // a kernel descriptor of AMD's
  if (kernel.starts_with("std::enable_if"))              // what it enables is the function
    if (const auto at = kernel.find("::type "); at != kernel.npos) kernel.remove_prefix(at + 7);
  kernel = kernel.substr(0, kernel.find("_object_at_"));  // CuTe's Python writes the arguments behind it
  return kernel.starts_with("_Z") ? mangled_parts(kernel) : written_parts(kernel);
}

std::string in_lower_case(std::string_view text) {
  std::string low(text);
  for (auto& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return low;
}

}  // namespace harness::trace
