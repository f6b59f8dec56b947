#pragma once

#include "harness/support/fd.hpp"

#include <filesystem>
#include <functional>

namespace harness::inline support {

/// Makes the file where it is missing, and locks it until the descriptor is closed or this process ends,
/// however it ends; programs that it starts do not hold the lock. Where another process holds it, calls
/// `waits` once and waits for it. Throws BadInput where the file cannot be made or locked.
Fd lock_file(const std::filesystem::path& file, const std::function<void()>& waits);

}  // namespace harness::inline support
