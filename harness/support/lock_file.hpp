// A file that two programs do not write at once.
#pragma once

#include "harness/support/fd.hpp"

#include <filesystem>
#include <functional>

namespace harness::inline support {

/// Makes the file where it is missing, and locks it until the descriptor is closed or this process ends,
/// however it ends; programs that it starts do not hold the lock. Where another process holds it, calls
/// `waits` once and waits for it. Throws BadInput where the file cannot be made or locked.
Fd lock_file(const std::filesystem::path& file, const std::function<void()>& waits);

/// The file that a link leads to, whether it is there or not; of another file its own name.
std::filesystem::path behind_links(std::filesystem::path file);

/// While it is open, no other process of this machine writes the file, which need not be there and is not
/// touched: what is held is a name in the kernel, so that nothing is left behind. Throws BadInput where
/// somebody else is writing the file and does not end within a moment.
Fd only_writer(const std::filesystem::path& file);

}  // namespace harness::inline support
