// Options of the workloads whose values are numbers. No LibTorch.
#pragma once

#include "harness/core/setup.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace workloads::settings {

/// What `--name` says, or `otherwise` where it was not given. Throws BadInput unless it is a whole number
/// from 1 to 1000000.
std::int64_t count_option(const harness::Options& options, std::string_view name, std::int64_t otherwise);

/// The bytes that `--name` says; nothing where it was not given. Throws BadInput unless it is a size above 0.
std::optional<std::int64_t> size_option(const harness::Options& options, std::string_view name);

/// Throws BadInput where one of the workloads' numbers is none, before a worker starts.
void check_numbers(const harness::Options& options);

}  // namespace workloads::settings
