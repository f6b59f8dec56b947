// Starts a program of our own group.
#pragma once

#include "harness/support/child.hpp"
#include "harness/support/fd.hpp"

#include <sys/types.h>

namespace harness::inline support {

/// With these as its standard input and output; its errors are not shown. Throws BadInput where it cannot be
/// started; a program without a slash is looked for on PATH.
pid_t spawn(const Command& command, const Fd& input, const Fd& output);

}  // namespace harness::inline support
