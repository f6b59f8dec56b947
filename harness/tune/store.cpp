#include "harness/tune/store.hpp"

#include "harness/support/read_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

namespace harness::tune {
namespace {

constexpr auto schema = "tuneproof-trials/1";

std::string differences(const Json& one, const Json& other) {
  std::vector<std::string> names;
  for (const auto& [name, value] : one.items())
    if (!other.contains(name) || other[name] != value) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

TrialStore::TrialStore(const std::filesystem::path& file, const Plan& plan) : plan_(plan_to_json(plan)) {
  if (file.empty()) return;
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    const auto name = file.string();
    const auto document = parse_json(read_text(file, most_results_bytes), name);
    const Field root(document, name);
    if (root["schema"].text() != schema) root["schema"].reject("this is not a file of trials");
    if (const auto other = differences(plan_, root["plan"].json()); !other.empty())
      throw BadInput(
          fmt::format("{}: holds a search with other {}; name another file with --storage", name, other));
    for (const auto& one : root["trials"].entries()) trials_.push_back(tried_from_json(one));
  }
  file_.emplace(file);
}

void TrialStore::add(const Tried& tried) {
  trials_.push_back(tried);
  if (!file_) return;
  Json document{{"schema", schema}, {"plan", plan_}, {"trials", Json::array()}};
  for (const auto& one : trials_) document["trials"].push_back(tried_to_json(one));
  file_->write(pretty(document));
}

}  // namespace harness::tune
