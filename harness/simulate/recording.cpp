#include "harness/simulate/recording.hpp"

#include "harness/support/read_text.hpp"

#include <array>
#include <utility>

namespace harness::simulate {
namespace {

using Does = Entry::Does;
using For = Synchronize::For;

constexpr std::array<std::pair<std::string_view, Does>, 7> does_words{
    {{"kernel", Does::kernel},
     {"copy", Does::copy},
     {"record_event", Does::record_event},
     {"wait_for_event", Does::wait_for_event},
     {"synchronize", Does::synchronize},
     {"compute", Does::compute},
     {"graph", Does::graph}}};
constexpr std::array<std::pair<std::string_view, For>, 3> for_words{
    {{"device", For::device}, {"stream", For::stream}, {"event", For::event}}};

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

int whole(const Field& json, std::string_view name, int otherwise) {
  const auto found = json.find(name);
  return found ? static_cast<int>(found->integer(0, most_streams)) : otherwise;
}

double amount(const Field& json, std::string_view name) {
  const auto found = json.find(name);
  return found ? found->positive() : 0;
}

bool flag(const Field& json, std::string_view name) {
  const auto found = json.find(name);
  return found && found->boolean();
}

Json entry_to_json(const Entry& entry) {
  const Entry plain;
  Json json{{"do", word_of(entry.does, does_words)}};
  if (!entry.name.empty()) json["name"] = entry.name;
  if (entry.stream != plain.stream) json["stream"] = entry.stream;
  if (entry.event != 0) json["event"] = entry.event;
  if (entry.bytes > 0) json["bytes"] = entry.bytes;
  if (entry.fresh > 0) json["fresh"] = entry.fresh;
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

std::string text_or_none(const Field& json, std::string_view name) {
  const auto found = json.find(name);
  return found ? found->text() : std::string();
}

RowRecord row_from_json(const Field& json) {
  RowRecord row{
      .row = json["row"].text(), .note = text_or_none(json, "note"), .reason = text_or_none(json, "reason")};
  for (const auto& form : json["forms"].entries()) {
    row.forms.push_back({form["form"].text(), entries_from_json(form["entries"]), {}});
    if (const auto streams = form.find("non_blocking"))
      for (const auto& stream : streams->entries())
        row.forms.back().non_blocking.insert(static_cast<int>(stream.integer(0, most_streams)));
  }
  return row;
}

}  // namespace

Entry entry_from_json(const Field& json) {
  Entry entry{.does = value_of(json["do"], does_words)};
  if (const auto name = json.find("name")) entry.name = name->text();
  entry.stream = whole(json, "stream", entry.stream);
  entry.event = whole(json, "event", 0);
  entry.bytes = amount(json, "bytes");
  entry.fresh = amount(json, "fresh");
  entry.flop = amount(json, "flop");
  if (const auto unit = json.find("unit")) entry.unit = unit->text();
  entry.us = amount(json, "us");
  entry.as_copy = amount(json, "as_copy");
  entry.blocks = whole(json, "blocks", 0);
  entry.is_operator = flag(json, "operator");
  entry.reduction = flag(json, "reduction");
  entry.uncounted = flag(json, "uncounted");
  if (entry.does == Does::copy) {
    entry.way = json["way"].text();
    if (entry.way != "h2d" && entry.way != "d2h" && entry.way != "d2d")
      json["way"].reject("expected h2d, d2h or d2d");
  }
  entry.pageable = flag(json, "pageable");
  entry.waits = flag(json, "waits");
  if (const auto of = json.find("of")) entry.of = value_of(*of, for_words);
  entry.times = whole(json, "times", 1);
  if (const auto nodes = json.find("nodes")) entry.nodes = entries_from_json(*nodes);
  if (const auto after = json.find("after"))
    for (const auto& before : after->entries())
      entry.after.push_back(static_cast<std::size_t>(before.integer(0, most_streams)));
  return entry;
}

std::vector<Entry> entries_from_json(const Field& list) {
  std::vector<Entry> entries;
  for (const auto& entry : list.entries()) entries.push_back(entry_from_json(entry));
  return entries;
}

Json recording_to_json(const Recording& recording) {
  Json json;
  json["tuneproof"] = {{"schema", "tuneproof.recording"}, {"schema_version", {{"major", 1}, {"minor", 0}}}};
  json["note"] = recording.note;
  json["rows"] = Json::array();
  for (const auto& row : recording.rows) {
    Json forms = Json::array();
    for (const auto& form : row.forms) {
      Json entries = Json::array();
      for (const auto& entry : form.entries) entries.push_back(entry_to_json(entry));
      forms.push_back({{"form", form.form}, {"non_blocking", form.non_blocking}, {"entries", entries}});
    }
    json["rows"].push_back({{"row", row.row}, {"forms", forms}});
    if (!row.note.empty()) json["rows"].back()["note"] = row.note;
    if (!row.reason.empty()) json["rows"].back()["reason"] = row.reason;
  }
  return json;
}

Recording read_recording(const std::filesystem::path& file) {
  const auto json = parse_json(read_text(file, most_results_bytes), file.string());
  const Field root(json, file.string());
  if (!root.has("tuneproof") || root["tuneproof"]["schema"].text() != "tuneproof.recording")
    root.reject("not a recording; make one with tuneproof simulate STEPS --gpu NAME --record FILE");
  Recording recording{.rows = {}, .note = text_or_none(root, "note")};
  for (const auto& row : root["rows"].entries()) recording.rows.push_back(row_from_json(row));
  return recording;
}

}  // namespace harness::simulate
