// Each distinct text once, as a small number; and what a JSON string says.
#pragma once

#include "harness/support/text.hpp"
#include "harness/trace/trace.hpp"

#include <deque>
#include <unordered_map>

namespace harness::trace {

/// Numbers texts from 0 on, by the order in which they are met.
class Interner {
 public:
  NameId intern(std::string_view text);
  std::optional<NameId> find(std::string_view text) const;

  /// By number; they stay where they are when this is moved.
  std::deque<std::string> texts;

 private:
  std::unordered_map<std::string_view, NameId> ids_;
};

using support::printable;

/// JSON text between quotes as UTF-8; nothing where an escape is malformed.
std::optional<std::string> unescaped(std::string_view spelled);

/// What a JSON string means. Where an escape is malformed, or a path begins as "C:\Users", nobody escaped its
/// backslashes: they stay as they are.
struct Understood {
  std::string text;
  bool backslashes = false;  // that were not escaped
};
Understood understood(std::string_view spelled);

}  // namespace harness::trace
