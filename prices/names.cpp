#include "prices/names.hpp"

#include <array>
#include <charconv>

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

std::optional<std::size_t> bytes_from(std::string_view text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{}) return std::nullopt;
  const auto rest = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const auto& unit : units)
    if (rest == unit.name) return count * unit.bytes;
  return std::nullopt;
}

}  // namespace prices
