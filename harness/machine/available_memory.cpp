#include "harness/machine/available_memory.hpp"

#include "harness/machine/control_groups.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

namespace harness::inline machine {
namespace {

constexpr auto unlimited = std::numeric_limits<std::size_t>::max();

std::size_t of_the_machine(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  std::string name;
  std::size_t kib = 0;
  while (file >> name >> kib && name != "MemAvailable:") file.ignore(std::numeric_limits<int>::max(), '\n');
  return file ? kib * 1024 : unlimited;  // not Linux: nothing to ask
}

/// The number in a file of the control group; nothing for "max" or where there is no such file.
std::optional<std::size_t> number_in_file(const std::string& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

/// The value behind a name in a file of lines "name value".
std::size_t value_of(const std::string& path, std::string_view wanted) {
  std::ifstream file(path);
  std::string name;
  std::size_t value = 0;
  while (file >> name >> value)
    if (name == wanted) return value;
  return 0;
}

/// What one control group leaves. Pages of files that nobody has open for writing count as used there, and
/// go when memory is wanted.
std::size_t of_group(const std::string& folder) {
  const auto limit = number_in_file(folder + "/memory.max");
  const auto used = number_in_file(folder + "/memory.current");
  if (!limit || !used) return unlimited;
  const auto file_pages = value_of(folder + "/memory.stat", "inactive_file");
  const auto held = *used - std::min(*used, file_pages);
  return *limit - std::min(*limit, held);
}

/// The least that the groups of version 2 leave.
std::size_t of_groups(const std::string& root) {
  auto least = unlimited;
  for (const auto& group : control_groups(SystemFiles(root + "/")))
    least = std::min(least, of_group(root + "/" + group));
  return least;
}

}  // namespace

std::size_t available_memory(const std::string& root) {
  return std::min(of_the_machine(root), of_groups(root));
}

}  // namespace harness::inline machine
