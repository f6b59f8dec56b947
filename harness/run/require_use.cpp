#include "harness/run/option_readers.hpp"
#include "harness/run/select.hpp"
#include "harness/support/field.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fnmatch.h>
#include <sstream>

namespace harness::run {
namespace {

/// "stgym/" is "stgym/*".
std::vector<std::string> readers_of(const catalogue::Option& option) {
  std::istringstream words(option.steps);
  std::vector<std::string> patterns;
  for (std::string word; words >> word;) patterns.push_back(word + "*");
  return patterns;
}

/// "; the selected rows read --text or --log", or nothing where they read none.
std::string options_read_by(const std::vector<results::Row>& rows, const catalogue::Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const auto& option : catalogue.options)
    if (std::ranges::any_of(rows, [&](const results::Row& row) { return reads(row, option); }))
      names.push_back("--" + option.name);
  return names.empty() ? std::string() : "; the selected rows read " + join_or(names);
}

}  // namespace

bool reads(const results::Row& row, const catalogue::Option& option) {
  return std::ranges::any_of(readers_of(option), [&](const std::string& pattern) {
    return fnmatch(pattern.c_str(), row.name.c_str(), 0) == 0;
  });
}

void require_use(const Options& options, const std::vector<results::Row>& rows,
                 const catalogue::Catalogue& catalogue) {
  for (const auto& option : catalogue.options) {
    if (!options.contains(option.name)) continue;
    if (std::ranges::none_of(rows, [&](const results::Row& row) { return reads(row, option); }))
      throw BadInput(fmt::format("--{} applies to the steps {}, but none of them is selected{}", option.name,
                                 join_or(readers_of(option)), options_read_by(rows, catalogue)));
  }
}

}  // namespace harness::run
