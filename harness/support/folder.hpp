// Files by their names, in a folder.
#pragma once

#include <filesystem>
#include <vector>

namespace harness::inline support {

enum class Depth { one, all };

/// True for the names under which a folder's results and traces are looked for: *.json and *.json.gz.
bool is_json_name(const std::filesystem::path& file);

/// The files whose names `wanted` takes, sorted; at `Depth::all` those of the folders in it too. A link that
/// leads nowhere is one of them, so that whoever reads it says so. Throws BadInput where a folder cannot be
/// read.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            bool (*wanted)(const std::filesystem::path&),
                                            Depth depth = Depth::one);

}  // namespace harness::inline support
