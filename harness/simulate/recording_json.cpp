// A recording as its file.
#include "harness/simulate/recording.hpp"
#include "harness/simulate/recording_words.hpp"

namespace harness::simulate {
namespace {

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

}  // namespace

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

}  // namespace harness::simulate
