#include "harness/simulate/recording.hpp"

#include "harness/support/json_members.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/read_text.hpp"
#include "harness/trace/intern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace harness::simulate {
namespace {

using Does = Entry::Does;

constexpr std::int64_t most_streams = 1'000'000'000;

template <class Value, std::size_t N>
Value value_of(const Field& field, const std::array<std::pair<std::string_view, Value>, N>& words) {
  const auto text = field.text();
  for (const auto& [word, value] : words)
    if (word == text) return value;
  field.reject("'" + text + "' is an unknown word here");
}

template <class Value, std::size_t N>
std::string word_of(Value value, const std::array<std::pair<std::string_view, Value>, N>& words) {
  for (const auto& [word, known] : words)
    if (known == value) return std::string(word);
  return {};
}

std::set<int> streams_from(const Field& list) {
  std::set<int> streams;
  for (const auto& stream : list.entries()) streams.insert(static_cast<int>(stream.integer(0, most_streams)));
  return streams;
}

/// True without control characters.
bool is_clean(std::string_view text) { return trace::printable(text) == text; }

std::map<std::string, int> unpriced_from(const Field& calls) {
  std::map<std::string, int> unpriced;
  for (const auto& [name, times] : calls.members()) {
    if (!is_clean(name)) calls.reject("a name contains control characters");
    unpriced[name] = static_cast<int>(times.integer(1, most_calls));
  }
  return unpriced;
}

std::vector<std::size_t> nodes_before(const Field& list) {
  std::vector<std::size_t> nodes;
  for (const auto& node : list.entries())
    nodes.push_back(static_cast<std::size_t>(node.integer(0, most_calls)));
  return nodes;
}

std::string unit_from(const Field& field) {
  const auto unit = field.text();
  if (std::ranges::count(units, unit) == 0)
    field.reject(fmt::format("expected one of {}", fmt::join(units, ", ")));
  return unit;
}

std::string way_from(const Field& field) {
  auto way = field.text();
  if (way != "h2d" && way != "d2h" && way != "d2d") field.reject("expected h2d, d2h or d2d");
  return way;
}

Json entries_to_json(const std::vector<Entry>& entries);

constexpr double most_of_one_call = 1e18;  // bytes, FLOP or microseconds

/// A number from 0 to `most_of_one_call`.
double amount_from(const Field& field) {
  const auto amount = field.number();
  if (!(amount >= 0) || amount > most_of_one_call)
    field.reject(fmt::format("expected a number from 0 to {:g}", most_of_one_call));
  return amount;
}

constexpr auto entry_members = [](auto& each, auto& entry) {
  constexpr auto amount = checked_by(amount_from);
  constexpr Way in_words{[](const auto value) { return word_of(value, does_words); },
                         [](const Field& field) { return value_of(field, does_words); }};
  const Entry usual;
  each("do", entry.does, in_words);
  each.if_any("name", entry.name, checked_by(clean_text));
  each.unless(usual.stream, "stream", entry.stream, whole(0, most_streams));
  each.if_any("event", entry.event, whole(0, most_streams));
  if (entry.does == Does::copy)
    each("bytes", entry.bytes, amount);
  else
    each.if_any("bytes", entry.bytes, amount);
  each.if_any("fresh", entry.fresh, amount);
  each.if_any("sorted", entry.sorted, amount);
  each.if_any("flop", entry.flop, amount);
  each.unless(usual.unit, "unit", entry.unit, checked_by(unit_from));
  each.if_any("us", entry.us, amount);
  each.if_any("as_copy", entry.as_copy, amount);
  each.if_any("blocks", entry.blocks, whole(0, most_streams));
  each.if_any("operator", entry.is_operator);
  each.if_any("reduction", entry.reduction);
  each.if_any("uncounted", entry.uncounted);
  each.if_any("way", entry.way, checked_by(way_from));
  each.if_any("pageable", entry.pageable);
  each.if_any("waits", entry.waits);
  each.unless(usual.of, "of", entry.of,
              Way{[](Synchronize::For of) { return word_of(of, for_words); },
                  [](const Field& field) { return value_of(field, for_words); }});
  each.unless(usual.times, "times", entry.times, whole(1, most_calls));
  each.if_any("nodes", entry.nodes, Way{entries_to_json, entries_from_json});
  each.if_any("after", entry.after, checked_by(nodes_before));
};

Json entries_to_json(const std::vector<Entry>& entries) {
  return list_of(by<Entry>(entry_members)).write(entries);
}

/// Throws BadInput where the object has a member of another name: what is misspelt would be taken for 0.
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

/// The way of a struct with that list, which has no other members.
template <class T, class List>
constexpr auto only_by(const List& list) {
  return Way{by<T>(list).write, [list](const Field& field) {
               only_known(field, names_by<T>(list));
               return read_by<T>(list, field);
             }};
}

constexpr auto form_members = [](auto& each, auto& form) {
  each("form", form.form);
  each.since("non_blocking", form.non_blocking, checked_by(streams_from));
  each("entries", form.entries, Way{entries_to_json, entries_from_json});
  each.if_any("unpriced", form.unpriced, checked_by(unpriced_from));
};

constexpr auto row_members = [](auto& each, auto& row) {
  each("row", row.row, checked_by(clean_text));
  each("forms", row.forms, list_of(only_by<FormRecord>(form_members)));
  each.if_any("note", row.note, checked_by(clean_text));
  each.if_any("reason", row.reason, checked_by(clean_text));
};

constexpr auto as_row = only_by<RowRecord>(row_members);

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

/// Throws BadInput where the row has neither two forms, naive and optimized, nor a reason, or where a form
/// has too many calls.
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

RowRecord row_from_json(const Field& json) {
  auto row = as_row.read(json);
  if (row.row.empty()) json["row"].reject("a row needs a name");
  check_row(row, json);
  return row;
}

/// Throws BadInput where the nodes of a graph are more than kernels and copies, each behind earlier ones.
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

constexpr int recording_major = 1;

}  // namespace

Entry entry_from_json(const Field& json) {
  auto entry = read_by<Entry>(entry_members, json);
  if (entry.sorted > entry.bytes) json["sorted"].reject("expected at most the bytes");
  if (entry.sorted > 0 &&
      (entry.does != Does::kernel || !entry.is_operator || entry.us > 0 || entry.as_copy > 0))
    json["sorted"].reject("only a kernel of an operator, without a given time, sorts");
  if (entry.does == Does::copy) way_from(json["way"]);
  check_nodes(entry, json);
  return entry;
}

std::vector<Entry> entries_from_json(const Field& list) {
  std::vector<Entry> entries;
  for (const auto& entry : list.entries()) {
    only_known(entry, names_by<Entry>(entry_members));
    entries.push_back(entry_from_json(entry));
  }
  return entries;
}

Recording read_recording(const std::filesystem::path& file) {
  const auto json = parse_json(read_text(file, most_results_bytes), file.string());
  const Field root(json, file.string());
  if (!root.has("tuneproof") || root["tuneproof"]["schema"].text() != "tuneproof.recording")
    root.reject("not a recording; make one with tuneproof simulate STEPS --gpu NAME --record FILE");
  only_known(root, std::array<std::string_view, 3>{"tuneproof", "note", "rows"});
  only_known(root["tuneproof"], std::array<std::string_view, 2>{"schema", "schema_version"});
  const auto major = root["tuneproof"]["schema_version"]["major"];
  if (major.integer() != recording_major)
    major.reject(fmt::format("version {} of a recording is unknown here", major.integer()));
  Recording recording;
  if (const auto note = root.find("note")) recording.note = clean_text(*note);
  std::set<std::string> names;
  for (const auto& row : root["rows"].entries()) {
    recording.rows.push_back(row_from_json(row));
    if (!names.insert(recording.rows.back().row).second) row["row"].reject("there are two rows of this name");
  }
  if (recording.rows.empty()) root["rows"].reject("the recording has no row");
  return recording;
}

Json recording_to_json(const Recording& recording) {
  Json json;
  json["tuneproof"] = {{"schema", "tuneproof.recording"},
                       {"schema_version", {{"major", recording_major}, {"minor", 0}}}};
  json["note"] = recording.note;
  json["rows"] = list_of(as_row).write(recording.rows);
  return json;
}

std::string clean_text(const Field& field) {
  constexpr std::size_t longest = 16384;
  auto text = field.text();
  if (text.size() > longest) field.reject(fmt::format("expected a text of at most {} bytes", longest));
  if (!is_clean(text)) field.reject("the text contains control characters");
  return text;
}

}  // namespace harness::simulate
