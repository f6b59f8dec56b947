// Which commit a program of somebody's own steps was built from.
#pragma once

#include <filesystem>
#include <string>

namespace harness::inline machine {

/// Git's, of that folder ("c7de2a7ad8c0-dirty" where tracked files were edited); else that of GitHub's or
/// GitLab's job; else "unknown".
std::string program_commit(const std::filesystem::path& folder);

}  // namespace harness::inline machine
