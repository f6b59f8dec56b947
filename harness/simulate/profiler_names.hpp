// What PyTorch's profiler would call a recorded command, so that `diagnose` knows its kind.
#pragma once

#include "harness/simulate/recording.hpp"

#include <string>

namespace harness::simulate {

/// "Memcpy HtoD (Pageable -> Device)" of a copy; of an operator's kernel a name that says product,
/// convolution, reduction or elementwise work, and the operator; of any other kernel its own name.
std::string profiler_name(const Entry& entry);

}  // namespace harness::simulate
