#include "harness/support/read_json.hpp"

#include "harness/support/shown.hpp"

#include <algorithm>
#include <utility>

namespace harness::inline support {
namespace {

bool has_printable_names(const Json& object) {
  return std::ranges::all_of(object.items(),
                             [](const auto& member) { return printable(member.key()) == member.key(); });
}

/// As deep as the document, whose levels parse_json has bounded.
void make_printable(Json& json) {
  if (json.is_string()) json = printable(json.get_ref<const std::string&>());
  if (!json.is_structured()) return;
  for (auto& value : json) make_printable(value);
  if (!json.is_object() || has_printable_names(json)) return;
  auto clean = Json::object();
  for (auto& [name, value] : json.items()) clean[printable(name)] = std::move(value);
  json = std::move(clean);
}

}  // namespace

Json read_json(const std::filesystem::path& file, std::uint64_t most_bytes) {
  auto json = parse_json(read_text(file, most_bytes), file.string());
  make_printable(json);
  return json;
}

}  // namespace harness::inline support
