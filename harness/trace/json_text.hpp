// Where JSON values end, in text that nobody has parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace harness::trace {

constexpr bool is_json_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// The length of the string at the start of `json`, quotes included; nothing where it does not end.
std::optional<std::size_t> string_length(std::string_view json);

/// The length of the list or object at the start of `json`, brackets included; nothing where it does not end.
std::optional<std::size_t> nest_length(std::string_view json);

/// The length of the value at the start of `json`; all of it where it does not end.
std::size_t value_length(std::string_view json);

/// Takes `length` characters and the blanks, commas and colons behind them off the front.
void skip_value(std::string_view& json, std::size_t length);

}  // namespace harness::trace
