#include "harness/results/fingerprint.hpp"

#include <map>
#include <string>

namespace harness::results {
namespace {

/// Every value that is not an object, by the way to it.
void flatten(const Json& json, const std::string& path, std::map<std::string, std::string>& out) {
  if (!json.is_object()) {
    out[path] = json.is_string() ? json.get<std::string>() : json.is_null() ? "none" : json.dump();
    return;
  }
  if (!path.empty()) out[path] = "some";  // a GPU against none: the fields are on one side only
  for (const auto& [name, value] : json.items()) flatten(value, path.empty() ? name : path + "." + name, out);
}

}  // namespace

std::vector<Difference> differences(const Json& base, const Json& current) {
  std::map<std::string, std::string> old_fields, new_fields;
  flatten(base, "", old_fields);
  flatten(current, "", new_fields);
  std::vector<Difference> all;
  for (const auto& [field, value] : old_fields)
    if (const auto other = new_fields.find(field); other != new_fields.end() && other->second != value)
      all.push_back({field, value, other->second});
  return all;
}

}  // namespace harness::results
