#include "harness/simulate/unseen.hpp"

#include <fmt/format.h>

#include <set>

namespace harness::simulate {
namespace {

bool gives_the_same(const FormRecord& one, const FormRecord& other) {
  return one.entries == other.entries && one.non_blocking == other.non_blocking;
}

int times_of(const FormRecord& form, const std::string& call) {
  const auto found = form.unpriced.find(call);
  return found == form.unpriced.end() ? 0 : found->second;
}

/// "cudaFree 16 and 0, cudaMalloc 16 and 0": how often the forms call what they call differently often.
std::string differing_calls(const FormRecord& naive, const FormRecord& optimized) {
  std::set<std::string> names;
  for (const auto* form : {&naive, &optimized})
    for (const auto& [name, times] : form->unpriced) names.insert(name);
  std::string out;
  for (const auto& name : names)
    if (times_of(naive, name) != times_of(optimized, name))
      out += fmt::format("{}{} {} and {}", out.empty() ? "" : ", ", name, times_of(naive, name),
                         times_of(optimized, name));
  return out;
}

}  // namespace

std::string unseen_difference(const RowRecord& row) {
  if (row.forms.size() != 2 || !gives_the_same(row.forms[0], row.forms[1])) return {};
  const auto calls = differing_calls(row.forms[0], row.forms[1]);
  if (calls.empty()) return {};
  return "both forms give the device the same work; they differ in calls that have no price in the model (" +
         calls + ")";
}

std::string note_of(const RowRecord& row) {
  auto note = row.note;
  if (row.forms.size() != 2) return note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : "; ") + text; };
  const auto calls = differing_calls(row.forms[0], row.forms[1]);
  const bool same = gives_the_same(row.forms[0], row.forms[1]);
  if (same && calls.empty())
    add("both forms make the same calls: if they differ, it is in what the model lacks (the program's own "
        "loops)");
  if (!same && !calls.empty()) add("calls without a price in the model: " + calls);
  return note;
}

}  // namespace harness::simulate
