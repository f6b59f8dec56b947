#include "harness/simulate/recording_limits.hpp"

#include "harness/support/near_miss.hpp"
#include "harness/trace/intern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace harness::simulate {
namespace {

using Does = Entry::Does;

std::int64_t nodes_of(const Entry& entry) {
  std::int64_t nodes = 0;
  for (const auto& node : entry.nodes) nodes += node.times;
  return nodes;
}

/// Each term is below 10^12, and the sum is compared before the next one.
void check_calls(const FormRecord& form, const Field& json) {
  std::int64_t calls = 0;
  for (const auto& entry : form.entries) {
    calls += entry.times * (entry.of_sparse_matrices() ? most_library_commands : 1 + nodes_of(entry));
    if (calls > most_calls) json["entries"].reject(fmt::format("more than {} calls", most_calls));
  }
}

}  // namespace

void only_known(const Field& json, std::span<const std::string_view> names) {
  for (const auto& [name, value] : json.members()) {
    if (value.is_null()) value.reject("null says nothing; leave it out");
    if (std::ranges::count(names, name) == 0) {
      const std::vector<std::string> known(names.begin(), names.end());
      json.reject(is_clean(name) ? fmt::format("'{}' is no member here{}", name, did_you_mean(name, known))
                                 : "a name contains control characters");
    }
  }
}

double amount_from(const Field& field) {
  const auto amount = field.number();
  if (!(amount >= 0) || amount > most_of_one_call)
    field.reject(fmt::format("expected a number from 0 to {:g}", most_of_one_call));
  return amount;
}

bool is_clean(std::string_view text) { return trace::printable(text) == text; }

std::string clean_text(const Field& field) {
  constexpr std::size_t longest = 16384;
  auto text = field.text();
  if (text.size() > longest) field.reject(fmt::format("expected a text of at most {} bytes", longest));
  if (!is_clean(text)) field.reject("the text contains control characters");
  return text;
}

void check_nodes(const Entry& entry, const Field& json) {
  if (entry.nodes.empty()) return;
  if (entry.does != Does::graph) json["nodes"].reject("only a graph has nodes");
  std::int64_t before = 0;
  auto node_at = entry.nodes.begin();
  for (const auto& at : json["nodes"].entries()) {
    const auto& node = *node_at++;
    if (node.does != Does::kernel && node.does != Does::copy)
      at["do"].reject("a node of a graph is a kernel or a copy");
    for (const auto earlier : node.after)
      if (static_cast<std::int64_t>(earlier) >= before)
        at["after"].reject(fmt::format("{} is not an earlier node", earlier));
    before += node.times;
  }
}

void check_row(const RowRecord& row, const Field& json) {
  const auto& forms = row.forms;
  if (forms.empty() && row.reason.empty())
    json["forms"].reject("expected the forms 'naive' and 'optimized', or a reason why there are none");
  if (!forms.empty() && (forms.size() != 2 || forms[0].form != "naive" || forms[1].form != "optimized"))
    json["forms"].reject("expected two forms, 'naive' and 'optimized'");
  if (!forms.empty() && !row.reason.empty())
    json["reason"].reject("a row that could not be recorded has no forms");
  for (std::size_t i = 0; i < forms.size(); ++i) check_calls(forms[i], json["forms"].entries()[i]);
}

}  // namespace harness::simulate
