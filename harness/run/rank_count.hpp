// How many processes run a row together.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/run/job_place.hpp"

#include <optional>

namespace harness::run {

/// As `--ranks` says; 2 where it says nothing. Throws BadInput where it is no number of processes.
int rank_count(const Options& options);

/// In a job the processes are the ranks: throws BadInput where `--ranks` says another number.
void require_ranks_of(const JobPlace& launch, const Options& options);

}  // namespace harness::run
