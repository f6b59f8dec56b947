// Where a profile's traces lie: .gz under the name that TensorBoard and HTA look for.
#pragma once

#include <filesystem>
#include <string>

namespace harness::profile {

/// "sync/item_every_step/n:256" -> "sync-item_every_step-n_256": a row's name as part of a file's name.
std::string file_name_of(const std::string& row);

/// Packs the JSON file, which is used up, into `folder` as NAME.<milliseconds>.pt.trace.json.gz, and returns
/// that file. It is there as a whole or not at all, and never takes the place of another.
/// Throws BadInput where it cannot be read or written.
std::filesystem::path keep_trace(const std::filesystem::path& json, const std::filesystem::path& folder,
                                 const std::string& name);

}  // namespace harness::profile
