#include "harness/selftest/self_test_cache.hpp"

#include "harness/selftest/self_test_file.hpp"
#include "harness/support/cache_file.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/utc_time.hpp"

#include <system_error>

namespace harness::selftest {
namespace {

constexpr std::chrono::hours clock_difference{24};  // between machines that share a cache

}  // namespace

bool is_current(const SelfTest& test, std::string_view machine_class, std::chrono::sys_seconds now) {
  const auto age = now - utc_time(test.started).value();
  return test.machine_class == machine_class && age <= most_self_test_age && age >= -clock_difference;
}

std::optional<std::filesystem::path> self_test_cache(std::string_view machine_class) {
  return cache_file("selftest", machine_class);
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
  make_folders_of(*file);
  ReplaceFile(*file).write(pretty(self_test_to_json(test)));
  return file;
}

}  // namespace harness::selftest
