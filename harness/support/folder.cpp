#include "harness/support/folder.hpp"

#include "harness/core/setup.hpp"

#include <algorithm>
#include <system_error>

namespace harness::inline support {
namespace {

namespace fs = std::filesystem;

bool is_file_or_leads_nowhere(const fs::directory_entry& entry) {
  std::error_code ignored;
  const auto type = entry.status(ignored).type();
  return type == fs::file_type::regular || type == fs::file_type::not_found;
}

template <class Iterator>
std::vector<fs::path> found_by(const fs::path& folder, bool (*wanted)(const fs::path&)) {
  std::vector<fs::path> files;
  std::error_code error;
  for (Iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (wanted(at->path()) && is_file_or_leads_nowhere(*at)) files.push_back(at->path());
  if (error) throw BadInput(folder.string() + ": cannot be read: " + error.message());
  std::ranges::sort(files);
  return files;
}

}  // namespace

bool is_json_name(const fs::path& file) {
  const auto name = file.filename().string();
  return name.ends_with(".json") || name.ends_with(".json.gz");
}

std::vector<fs::path> files_in(const fs::path& folder, bool (*wanted)(const fs::path&), Depth depth) {
  return depth == Depth::all ? found_by<fs::recursive_directory_iterator>(folder, wanted)
                             : found_by<fs::directory_iterator>(folder, wanted);
}

}  // namespace harness::inline support
