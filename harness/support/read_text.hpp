// Reads a file whole, within bounds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace harness::inline support {

/// Enough for 5,000 rows of 14 rounds.
constexpr std::uint64_t most_results_bytes = std::uint64_t{128} << 20;

/// The text of a file, which gzip may have packed. Throws BadInput, naming the file, where it cannot be read,
/// is damaged, or is larger than `most_bytes`, packed or not; no more than twice that is ever held.
std::string read_text(const std::filesystem::path& file, std::uint64_t most_bytes);

/// True for the names under which a folder's results are looked for: *.json and *.json.gz.
bool is_results_name(const std::filesystem::path& file);

}  // namespace harness::inline support
