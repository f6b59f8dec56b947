#include "harness/trace/kernel_rules.hpp"

#include "harness/trace/kernel_parts.hpp"

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

std::vector<KernelWord> words_of(std::string_view part) {
  std::vector<KernelWord> words;
  while (!part.empty()) {
    auto text = taken(part, '*');
    const bool begins = text.starts_with('|');
    if (begins) text.remove_prefix(1);
    const bool ends = text.ends_with('|');
    if (ends) text.remove_suffix(1);
    words.push_back({text, begins, ends});
  }
  return words;
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
    table.push_back({words_of(part), kind_of_word(kind), line, last});
  }
  return table;
}

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_small(c) || is_capital(c); }

/// A part of a name as it is written, and in lower case.
struct Spelled {
  std::string_view written;
  std::string low;

  /// True if a word ends there, or the name: "Add|RMS|Norm|Kernel", "my|_|norm|2|d".
  bool is_edge(std::size_t at) const {
    if (at == 0 || at >= written.size()) return true;
    const char before = written[at - 1];
    const char behind = written[at];
    if (!is_letter(before) || !is_letter(behind)) return true;
    if (is_small(before)) return is_capital(behind);
    return is_capital(behind) && at + 1 < written.size() && is_small(written[at + 1]);
  }

  /// The end of the first such word from there on.
  std::size_t behind(const KernelWord& word, std::size_t from) const {
    auto at = low.find(word.text, from);
    while (at != low.npos &&
           ((word.begins && !is_edge(at)) || (word.ends && !is_edge(at + word.text.size()))))
      at = low.find(word.text, at + 1);
    return at == low.npos ? at : at + word.text.size();
  }
};

bool stands_in(const Spelled& text, const KernelRule& rule) {
  std::size_t at = 0;
  for (const auto& word : rule.words)
    if (at = text.behind(word, at); at == std::string::npos) return false;
  return true;
}

}  // namespace

const std::vector<KernelRule>& kernel_rules() {
  static const auto rules = read_rules(kernel_kinds());
  return rules;
}

const KernelRule* kernel_rule(std::string_view name) {
  const auto parts = name_parts(name);
  std::array<Spelled, 3> texts{{{parts.own(), {}}, {parts.qualified, {}}, {parts.templates, {}}}};
  for (auto& text : texts) text.low = in_lower_case(text.written);
  for (const bool last : {false, true})
    for (const auto& text : texts)
      for (const auto& rule : kernel_rules())
        if (rule.last == last && stands_in(text, rule)) return &rule;
  return nullptr;
}

KernelKind kernel_kind(std::string_view name) {
  const auto* rule = kernel_rule(name);
  return rule == nullptr ? KernelKind::other : rule->kind;
}

}  // namespace harness::trace
