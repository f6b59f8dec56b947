#include "prices/names.hpp"

#include <array>

namespace prices {
namespace {

struct Unit {
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array<Unit, 4> units{{{"GiB", gib}, {"MiB", mib}, {"KiB", kib}, {"B", 1}}};

}  // namespace

std::string bytes_text(std::size_t bytes) {
  for (const auto& unit : units)
    if (bytes >= unit.bytes && bytes % unit.bytes == 0)
      return std::to_string(bytes / unit.bytes) + std::string(unit.name);
  return "0B";
}

std::string plain_name(std::string_view name) {
  for (const std::string_view suffix : {"/real_time", "/manual_time", "/process_time"})
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return std::string(name);
}

}  // namespace prices
