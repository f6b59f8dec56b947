#pragma once

#include "harness/support/field.hpp"
#include "harness/support/read_text.hpp"

namespace harness::inline support {

/// The JSON document of a file, for which `read_text` and `parse_json` hold. All its texts are made
/// printable, names of members too: whatever is printed of it later moves no cursor.
Json read_json(const std::filesystem::path& file, std::uint64_t most_bytes);

}  // namespace harness::inline support
