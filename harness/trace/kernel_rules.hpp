// The table that tells a kernel's kind by its name, and what can be told apart in such a name, written out or
// mangled.
#pragma once

#include "harness/trace/kernels.hpp"

namespace harness::trace {

/// What lies between the stars of a part.
struct KernelWord {
  std::string_view text;
  bool begins = false;  // only where a word of the name does
  bool ends = false;
};

/// A part of a name, in lower case, that tells the kind. A `*` in it stands for anything, a `|` at an end of
/// what lies between for the edge of a word.
struct KernelRule {
  std::vector<KernelWord> words = {};
  KernelKind kind = KernelKind::other;
  std::string_view example;  // a name that was met, perhaps cut, which this row decides
  bool last = false;         // asked only where no other row knows any part of the name
};

/// kernel_kinds.tsv
std::string_view kernel_kinds();
/// Its rows: the first whose part stands in the text decides.
const std::vector<KernelRule>& kernel_rules();

/// The row that decides; nullptr where none does. All rows are asked about the function's own name, then
/// about its namespaces, then about its template arguments: "deep_ep::intranode::combine<..>" is decided by
/// its namespace, "cutlass::device_kernel<flash::..>" by its argument.
const KernelRule* kernel_rule(std::string_view name);

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
