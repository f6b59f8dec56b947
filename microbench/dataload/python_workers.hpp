// Workers of a loader in Python, for the steps on what only an interpreter's processes cost.
#pragma once

#include <string_view>

namespace microbench {

/// The text of python_workers.py.
std::string_view workers_script();

}  // namespace microbench
