#include "harness/predict/kept_misses.hpp"

#include "harness/predict/scorecard.hpp"
#include "harness/results/stand_in_option.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace harness::predict {
namespace {

constexpr std::string_view folder_of_misses = "misses";
constexpr std::uint64_t most_bytes_of_misses = std::uint64_t{16} << 20;

std::vector<std::filesystem::path> kept_files() {
  std::vector<std::filesystem::path> files;
  const auto any = cache_file(folder_of_misses, "any");
  std::error_code error;
  if (!any) return files;
  for (const auto& entry : std::filesystem::directory_iterator(any->parent_path(), error))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

Earlier earlier_rows(const std::function<void(const std::string& line)>& say) {
  std::vector<Miss> all;
  for (const auto& file : kept_files()) {
    try {
      const auto name = file.string();
      std::ranges::move(misses_from_json(parse_json(read_text(file, most_bytes_of_misses), name), name),
                        std::back_inserter(all));
    } catch (const BadInput& error) {
      say(std::string("left out: ") + error.what());
    }
  }
  std::ranges::move(shipped_misses(), std::back_inserter(all));
  return {std::move(all), shipped_rows()};
}

void keep_misses(const results::Results& results, const std::function<void(const std::string& line)>& say) {
  Scorecard card;
  add_results(card, results, {});
  const auto misses = misses_of(card.rows);
  const auto file = cache_file(folder_of_misses, results.session.id);
  if (misses.empty() || !file || results::on_stand_in(results.fingerprint)) return;
  try {
    make_folders_of(*file);
    ReplaceFile(*file).write(pretty(misses_to_json(misses)));
  } catch (const BadInput& error) {
    say(std::string("the misses of these predictions could not be kept: ") + error.what());
  }
}

}  // namespace harness::predict
