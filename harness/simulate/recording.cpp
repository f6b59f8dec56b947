#include "harness/simulate/recording.hpp"

#include "harness/support/near_miss.hpp"
#include "harness/support/read_text.hpp"
#include "harness/trace/intern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

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

int whole(const Field& json, std::string_view name, int otherwise) {
  const auto found = json.find(name);
  return found ? static_cast<int>(found->integer(0, most_streams)) : otherwise;
}

double amount(const Field& json, std::string_view name) {
  const auto found = json.find(name);
  return found ? amount_from(*found) : 0;
}

bool flag(const Field& json, std::string_view name) {
  const auto found = json.find(name);
  return found && found->boolean();
}

std::string text_or_none(const Field& json, std::string_view name) {
  const auto found = json.find(name);
  return found ? clean_text(*found) : std::string();
}

std::set<int> streams_from(const Field& list) {
  std::set<int> streams;
  for (const auto& stream : list.entries()) streams.insert(static_cast<int>(stream.integer(0, most_streams)));
  return streams;
}

std::map<std::string, int> unpriced_from(const Field& calls) {
  std::map<std::string, int> unpriced;
  for (const auto& [name, times] : calls.members()) {
    if (!is_clean(name)) calls.reject("a name contains control characters");
    unpriced[name] = static_cast<int>(times.integer(1, most_calls));
  }
  return unpriced;
}

std::string unit_from(const Field& field) {
  const auto unit = field.text();
  if (std::ranges::count(units, unit) == 0)
    field.reject(fmt::format("expected one of {}", fmt::join(units, ", ")));
  return unit;
}

RowRecord row_from_json(const Field& json) {
  only_known(json, row_words);
  RowRecord row{.row = clean_text(json["row"]),
                .note = text_or_none(json, "note"),
                .reason = text_or_none(json, "reason")};
  if (row.row.empty()) json["row"].reject("a row needs a name");
  for (const auto& form : json["forms"].entries()) {
    only_known(form, form_words);
    row.forms.push_back({form["form"].text(), entries_from_json(form["entries"])});
    if (const auto streams = form.find("non_blocking"))
      row.forms.back().non_blocking = streams_from(*streams);
    if (const auto calls = form.find("unpriced")) row.forms.back().unpriced = unpriced_from(*calls);
  }
  check_row(row, json);
  return row;
}

// A recording as its file.

template <class Value, std::size_t N>
std::string word_of(Value value, const std::array<std::pair<std::string_view, Value>, N>& words) {
  for (const auto& [word, known] : words)
    if (known == value) return std::string(word);
  return {};
}

Json entry_to_json(const Entry& entry) {
  const Entry plain;
  Json json{{"do", word_of(entry.does, does_words)}};
  if (!entry.name.empty()) json["name"] = entry.name;
  if (entry.stream != plain.stream) json["stream"] = entry.stream;
  if (entry.event != 0) json["event"] = entry.event;
  if (entry.bytes > 0 || entry.does == Entry::Does::copy) json["bytes"] = entry.bytes;
  if (entry.fresh > 0) json["fresh"] = entry.fresh;
  if (entry.sorted > 0) json["sorted"] = entry.sorted;
  if (entry.flop > 0) json["flop"] = entry.flop;
  if (entry.unit != plain.unit) json["unit"] = entry.unit;
  if (entry.us > 0) json["us"] = entry.us;
  if (entry.as_copy > 0) json["as_copy"] = entry.as_copy;
  if (entry.blocks > 0) json["blocks"] = entry.blocks;
  if (entry.is_operator) json["operator"] = true;
  if (entry.reduction) json["reduction"] = true;
  if (entry.uncounted) json["uncounted"] = true;
  if (!entry.way.empty()) json["way"] = entry.way;
  if (entry.pageable) json["pageable"] = true;
  if (entry.waits) json["waits"] = true;
  if (entry.of != plain.of) json["of"] = word_of(entry.of, for_words);
  if (entry.times != 1) json["times"] = entry.times;
  for (const auto& node : entry.nodes) json["nodes"].push_back(entry_to_json(node));
  for (const auto before : entry.after) json["after"].push_back(before);
  return json;
}

Json recorded_form_to_json(const FormRecord& form) {
  Json entries = Json::array();
  for (const auto& entry : form.entries) entries.push_back(entry_to_json(entry));
  Json json{{"form", form.form}, {"non_blocking", form.non_blocking}, {"entries", std::move(entries)}};
  if (!form.unpriced.empty()) json["unpriced"] = form.unpriced;
  return json;
}

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

Entry entry_from_json(const Field& json) {
  Entry entry{.does = value_of(json["do"], does_words)};
  entry.name = text_or_none(json, "name");
  entry.stream = whole(json, "stream", entry.stream);
  entry.event = whole(json, "event", 0);
  entry.bytes = amount(json, "bytes");
  entry.fresh = amount(json, "fresh");
  entry.sorted = amount(json, "sorted");
  entry.flop = amount(json, "flop");
  if (const auto unit = json.find("unit")) entry.unit = unit_from(*unit);
  entry.us = amount(json, "us");
  entry.as_copy = amount(json, "as_copy");
  entry.blocks = whole(json, "blocks", 0);
  entry.is_operator = flag(json, "operator");
  entry.reduction = flag(json, "reduction");
  entry.uncounted = flag(json, "uncounted");
  if (entry.sorted > entry.bytes) json["sorted"].reject("expected at most the bytes");
  if (entry.sorted > 0 &&
      (entry.does != Does::kernel || !entry.is_operator || entry.us > 0 || entry.as_copy > 0))
    json["sorted"].reject("only a kernel of an operator, without a given time, sorts");
  if (entry.does == Does::copy) {
    entry.way = json["way"].text();
    if (entry.way != "h2d" && entry.way != "d2h" && entry.way != "d2d")
      json["way"].reject("expected h2d, d2h or d2d");
  }
  entry.pageable = flag(json, "pageable");
  entry.waits = flag(json, "waits");
  if (const auto of = json.find("of")) entry.of = value_of(*of, for_words);
  if (const auto times = json.find("times")) entry.times = static_cast<int>(times->integer(1, most_calls));
  if (const auto nodes = json.find("nodes")) entry.nodes = entries_from_json(*nodes);
  if (const auto after = json.find("after"))
    for (const auto& before : after->entries())
      entry.after.push_back(static_cast<std::size_t>(before.integer(0, most_calls)));
  check_nodes(entry, json);
  return entry;
}

std::vector<Entry> entries_from_json(const Field& list) {
  std::vector<Entry> entries;
  for (const auto& entry : list.entries()) {
    only_known(entry, entry_words);
    if (entry["do"].text() == "copy") amount_from(entry["bytes"]);
    entries.push_back(entry_from_json(entry));
  }
  return entries;
}

Recording read_recording(const std::filesystem::path& file) {
  const auto json = parse_json(read_text(file, most_results_bytes), file.string());
  const Field root(json, file.string());
  if (!root.has("tuneproof") || root["tuneproof"]["schema"].text() != "tuneproof.recording")
    root.reject("not a recording; make one with tuneproof simulate STEPS --gpu NAME --record FILE");
  only_known(root, root_words);
  only_known(root["tuneproof"], schema_words);
  const auto major = root["tuneproof"]["schema_version"]["major"];
  if (major.integer() != recording_major)
    major.reject(fmt::format("version {} of a recording is unknown here", major.integer()));
  Recording recording{.rows = {}, .note = text_or_none(root, "note")};
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
  json["rows"] = Json::array();
  for (const auto& row : recording.rows) {
    Json forms = Json::array();
    for (const auto& form : row.forms) forms.push_back(recorded_form_to_json(form));
    json["rows"].push_back({{"row", row.row}, {"forms", forms}});
    if (!row.note.empty()) json["rows"].back()["note"] = row.note;
    if (!row.reason.empty()) json["rows"].back()["reason"] = row.reason;
  }
  return json;
}

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
