#include "harness/selftest/self_test_cache.hpp"

#include "harness/measure/schedule.hpp"
#include "harness/record/replace_file.hpp"
#include "harness/record/utc_time.hpp"
#include "harness/selftest/self_test_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace harness {
namespace {

constexpr std::chrono::hours clock_difference{24};  // between machines that share a cache
constexpr std::uint64_t no_seed = 0;

/// The class as a file's name: "sha256-1f..."; where the program has no SHA-256 the class is a whole
/// document.
std::string file_name(std::string_view machine_class) {
  std::string name(machine_class);
  std::ranges::replace(name, ':', '-');
  const auto plain = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-'; };
  if (name.empty() || name.size() > 100 || !std::ranges::all_of(name, plain))
    name = fmt::format("class-{:016x}", row_seed(no_seed, machine_class));
  return name + ".json";
}

/// An empty variable counts as none, and one that is no absolute path is to be ignored: XDG's rules.
std::optional<std::filesystem::path> folder_in(const char* variable) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): one thread
  if (text == nullptr || !std::filesystem::path(text).is_absolute()) return std::nullopt;
  return text;
}

}  // namespace

bool is_current(const SelfTest& test, std::string_view machine_class, std::chrono::sys_seconds now) {
  const auto age = now - utc_time(test.started).value();
  return test.machine_class == machine_class && age <= most_self_test_age && age >= -clock_difference;
}

std::optional<std::filesystem::path> self_test_cache(std::string_view machine_class) {
  auto folder = folder_in("XDG_CACHE_HOME");
  if (const auto home = folder_in("HOME"); !folder && home) folder = *home / ".cache";
  if (!folder) return std::nullopt;
  return *folder / "tuneproof" / "selftest" / file_name(machine_class);
}

std::optional<SelfTest> cached_self_test(const std::string& machine_class, std::chrono::sys_seconds now) {
  const auto file = self_test_cache(machine_class);
  std::error_code ignored;  // a folder that cannot be read holds nothing for us
  if (!file || !std::filesystem::exists(*file, ignored)) return std::nullopt;
  auto test = read_self_test(*file);
  return is_current(test, machine_class, now) ? std::optional(std::move(test)) : std::nullopt;
}

std::optional<std::filesystem::path> cache_self_test(const SelfTest& test) {
  auto file = self_test_cache(test.machine_class);
  if (!file) return std::nullopt;
  std::error_code failed;
  std::filesystem::create_directories(file->parent_path(), failed);
  if (failed) throw BadInput(file->string() + ": cannot be written: " + failed.message());
  ReplaceFile(*file).write(pretty(self_test_to_json(test)));
  return file;
}

}  // namespace harness
