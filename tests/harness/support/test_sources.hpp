// The batches that the loader tests ask worker processes for.
#pragma once

#include "harness/support/channel.hpp"

#include <span>

namespace loader_test {

std::span<const harness::BatchSource> sources();
/// The source of that name; throws std::out_of_range where there is none.
const harness::BatchSource& source(std::string_view name);

/// Starts two workers that never finish, prints their process ids and kills this process.
int leave_orphans();

}  // namespace loader_test
