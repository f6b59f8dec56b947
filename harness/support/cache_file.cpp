#include "harness/support/cache_file.hpp"

#include "harness/core/setup.hpp"
#include "harness/core/slot_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <system_error>

namespace harness::inline support {
namespace {

constexpr std::uint64_t no_seed = 0;
constexpr std::size_t longest_name = 100;

/// "sha256:1f..." -> "sha256-1f...". Where the program has no SHA-256 a key is a whole document.
std::string file_name(std::string_view key) {
  std::string name(key);
  std::ranges::replace(name, ':', '-');
  const auto plain = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-'; };
  if (name.empty() || name.size() > longest_name || !std::ranges::all_of(name, plain))
    name = fmt::format("class-{:016x}", row_seed(no_seed, key));
  return name + ".json";
}

/// An empty variable counts as none, and one that is no absolute path is to be ignored: XDG's rules.
std::optional<std::filesystem::path> folder_in(const char* variable) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): one thread
  if (text == nullptr || !std::filesystem::path(text).is_absolute()) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::filesystem::path> cache_file(std::string_view kind, std::string_view key) {
  auto folder = folder_in("XDG_CACHE_HOME");
  if (const auto home = folder_in("HOME"); !folder && home) folder = *home / ".cache";
  if (!folder) return std::nullopt;
  return *folder / "tuneproof" / kind / file_name(key);
}

void make_folders_of(const std::filesystem::path& file) {
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  if (failed) throw BadInput(file.string() + ": cannot be written: " + failed.message());
}

}  // namespace harness::inline support
