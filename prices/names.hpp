// Sizes as they stand in the names of rows.
#pragma once

#include <cstddef>
#include <string>

namespace prices {

constexpr std::size_t kib = std::size_t{1} << 10;
constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t gib = std::size_t{1} << 30;

/// "1KiB", "512MiB", "1GiB"; "100B" where no unit divides it. harness::parse_size is the inverse.
std::string bytes_text(std::size_t bytes);

}  // namespace prices
