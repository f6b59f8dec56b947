#include "harness/simulate/recording.hpp"

#include "harness/simulate/recording_limits.hpp"
#include "harness/simulate/recording_words.hpp"
#include "harness/support/read_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

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

}  // namespace harness::simulate
