// The price list, in the program that has LibTorch: Google Benchmark over the rows of
// prices/priced_machine.hpp.
#pragma once

#include "harness/machine/build_info.hpp"

#include <span>

namespace prices {

/// `--prices`: `words` are "--device=auto" (or cpu, cuda:N) and Google Benchmark's flags. Returns the exit
/// code: 1 where nothing matched or a row failed, 77 where a CUDA device was asked for and there is none.
/// "--end" alone ends at once: it stands for a process that is started and does nothing. "--rank" begins the
/// words of a process that collectives are priced with.
int prices_mode(std::span<const std::string_view> words, const harness::BuildInfo& build);

}  // namespace prices
