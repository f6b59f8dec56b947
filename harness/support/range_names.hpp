// Ranges that one folder opens and another one looks for in a trace.
#pragma once

namespace harness::inline support {

/// A call of a package that torch's compiler made: its operators are hidden in it.
inline constexpr const char* compiled_package_range = "compiled package";

}  // namespace harness::inline support
