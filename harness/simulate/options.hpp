// Which options of `tuneproof simulate` say nothing beside which others.
#pragma once

#include "harness/simulate/gpu.hpp"
#include "harness/simulate/simulate_arguments.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace harness::simulate {

/// Throws BadInput where an option was given that would be dropped without a word.
void refuse_useless(const CLI::App& command, const SimulateArguments& arguments);

/// Throws BadInput where it is not said which rows on which GPU.
void require_rows_and_gpu(const SimulateArguments& arguments);

/// The file of one form that `--trace NAME` writes.
std::string trace_file(const std::string& name, Form form);

/// The GPUs with their host and with the values that were changed, which their titles name. Throws BadInput
/// where one is asked for twice, or a value is changed twice.
std::vector<Gpu> chosen_gpus(const SimulateArguments& arguments);

}  // namespace harness::simulate
