// The names of rows, and sizes as they stand in them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace prices {

constexpr std::size_t kib = std::size_t{1} << 10;
constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t gib = std::size_t{1} << 30;

/// "1KiB", "512MiB", "1GiB"; "100B" where no unit divides it. harness::parse_size is the inverse.
std::string bytes_text(std::size_t bytes);

/// Google Benchmark adds how a row is timed to its name: without that.
std::string plain_name(std::string_view name);

}  // namespace prices
