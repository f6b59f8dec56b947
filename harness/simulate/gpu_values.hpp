// The values that a GPU on paper may have.
#pragma once

#include <string>
#include <string_view>

namespace harness::simulate {

/// True for what is counted: multiprocessors, engines, places in the queue, generations of links.
bool is_whole(std::string_view name);

/// Why there is no such value; empty where a sheet of gpus.json or the model of costs.json has one.
std::string name_error(std::string_view name);

/// Why the value cannot be that number; empty where it can.
std::string number_error(std::string_view name, double number);

}  // namespace harness::simulate
