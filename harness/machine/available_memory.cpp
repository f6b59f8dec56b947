#include "harness/machine/available_memory.hpp"

#include "harness/core/parse_number.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

namespace harness::inline machine {
namespace {

constexpr auto unlimited = std::numeric_limits<std::size_t>::max();

std::size_t of_the_machine(const SystemFiles& files) {
  const auto available = files.field("proc/meminfo", "MemAvailable");  // "4194304 kB"
  if (!available) return unlimited;                                    // not Linux: nothing to ask
  const auto kib = parse_number<std::size_t>(available->substr(0, available->find(' ')));
  return kib ? *kib * 1024 : unlimited;
}

/// The value behind a name in a file of lines "name value"; 0 where it is not there.
std::size_t value_of(const SystemFiles& files, const std::string& path, std::string_view wanted) {
  std::istringstream lines(files.text(path).value_or(""));
  std::string name;
  std::size_t value = 0;
  while (lines >> name >> value)
    if (name == wanted) return value;
  return 0;
}

/// What one control group leaves. Pages of files that nobody has open for writing count as used there, and
/// go when memory is wanted.
std::size_t of_group(const SystemFiles& files, const std::string& folder) {
  const auto number = [&](const std::string& file) {
    return parse_number<std::size_t>(files.text(folder + file).value_or(""));  // "max" is no number
  };
  const auto limit = number("/memory.max"), used = number("/memory.current");
  if (!limit || !used) return unlimited;
  const auto file_pages = value_of(files, folder + "/memory.stat", "inactive_file");
  const auto held = *used - std::min(*used, file_pages);
  return *limit - std::min(*limit, held);
}

/// The least that the groups of version 2 leave.
std::size_t of_groups(const SystemFiles& files) {
  auto least = unlimited;
  for (const auto& group : control_groups(files)) least = std::min(least, of_group(files, group));
  return least;
}

}  // namespace

std::size_t available_memory(const SystemFiles& files) {
  return std::min(of_the_machine(files), of_groups(files));
}

}  // namespace harness::inline machine
