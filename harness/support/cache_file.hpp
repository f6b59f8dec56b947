// Where the program keeps what it need not measure again.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace harness::inline support {

/// ${XDG_CACHE_HOME:-~/.cache}/tuneproof/<kind>/<key>.json; nothing where neither variable names a folder. A
/// key that would make no file's name is put into one by its hash.
std::optional<std::filesystem::path> cache_file(std::string_view kind, std::string_view key);

/// Makes the folders above the file. Throws BadInput where they cannot be made.
void make_folders_of(const std::filesystem::path& file);

}  // namespace harness::inline support
