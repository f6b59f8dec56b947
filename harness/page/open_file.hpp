// Shows a file in whatever the desktop has for it.
#pragma once

#include <filesystem>

namespace harness::page {

/// Starts `xdg-open` on its own and does not wait for what that shows. Throws BadInput where there is none:
/// the file itself is then written all the same, and the sentence says so.
void open_file(const std::filesystem::path& file);

}  // namespace harness::page
