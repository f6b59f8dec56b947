#include "harness/trace/kernel_rules.hpp"

#include "harness/trace/kernel_parts.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace harness::trace {
namespace {

KernelKind kind_of_word(std::string_view word) {
  for (std::size_t i = 0; i < kernel_kind_count; ++i)
    if (to_string(static_cast<KernelKind>(i)) == word) return static_cast<KernelKind>(i);
  throw std::logic_error("kernel_kinds.tsv has the kind " + std::string(word));
}

/// What stands before the next such character, which is taken away with it.
std::string_view taken(std::string_view& text, char end) {
  const auto at = text.find(end);
  const auto word = text.substr(0, at);
  text.remove_prefix(at == text.npos ? text.size() : at + 1);
  return word;
}

std::vector<KernelRule> read_rules(std::string_view text) {
  std::vector<KernelRule> table;
  bool last = false;
  while (!text.empty()) {
    auto line = taken(text, '\n');
    if (line == "last") last = true;
    if (line.empty() || line.starts_with('#') || line == "last") continue;
    const auto part = taken(line, '\t');
    const auto kind = taken(line, '\t');
    table.push_back({part, kind_of_word(kind), line, last});
  }
  return table;
}

bool stands_in(std::string_view text, std::string_view part) {
  while (!part.empty()) {
    const auto word = taken(part, '*');
    const auto at = text.find(word);
    if (at == text.npos) return false;
    text.remove_prefix(at + word.size());
  }
  return true;
}

}  // namespace

const std::vector<KernelRule>& kernel_rules() {
  static const auto rules = read_rules(kernel_kinds());
  return rules;
}

const KernelRule* kernel_rule(std::string_view name) {
  const auto parts = name_parts(name);
  const std::array texts{in_lower_case(parts.own()), in_lower_case(parts.qualified),
                         in_lower_case(parts.templates)};
  for (const bool last : {false, true})
    for (const auto& text : texts)
      for (const auto& rule : kernel_rules())
        if (rule.last == last && stands_in(text, rule.part)) return &rule;
  return nullptr;
}

KernelKind kernel_kind(std::string_view name) {
  const auto* rule = kernel_rule(name);
  return rule == nullptr ? KernelKind::other : rule->kind;
}

}  // namespace harness::trace
