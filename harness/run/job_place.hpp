// What torchrun or Slurm says of a process that it has started beside others.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace harness::run {

/// One process of a job whose processes are the ranks of each row.
struct JobPlace {
  int number = 0;  // from 0
  int size = 1;
  std::string node;  // of this process
  std::string address = "127.0.0.1";
  int port = 0;               // there the job's processes meet
  bool meeting_open = false;  // the launcher itself listens at that port, as torchrun does
};

/// The value of an environment variable; empty where it is not set.
using Variables = std::function<std::string(const char* name)>;
Variables environment_variables();

/// Nothing where the process has no others beside it. RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT say it
/// where all four are set; else SLURM_PROCID and SLURM_STEP_NUM_TASKS, which srun sets and sbatch does not.
/// Throws BadInput, one sentence, where they are no numbers or where the first node is not known.
std::optional<JobPlace> job_place_from(const Variables& variable);

/// The node of each rank as Slurm has planned it; empty where it is not known.
std::vector<std::string> planned_nodes(const Variables& variable, int size);

}  // namespace harness::run
