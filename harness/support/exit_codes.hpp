// What commands say by their exit code: docs/measuring.md 12. 0 and 1 are everybody's.
#pragma once

namespace harness::inline support {

constexpr int regression_exit = 2;  // a confirmed regression, or a count that rose
constexpr int refused_exit = 3;     // what may not be compared
constexpr int strict_exit = 4;  // nothing was decided, rows vanished, or, with --strict, too many cannot tell

constexpr int no_device_exit = 77;  // a CUDA device was asked for and there is none: CTest's SKIP_RETURN_CODE

constexpr double most_undecided = 0.2;  // of the rows, with --strict

}  // namespace harness::inline support
