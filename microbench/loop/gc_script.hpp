// A loop in Python whose garbage is collected by itself, by hand, or with what stays left out.
#pragma once

#include <string_view>

namespace microbench {

/// The text of gc_loop.py.
std::string_view gc_script();

}  // namespace microbench
