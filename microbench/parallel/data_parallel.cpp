// One process for each rank, instead of one process with a thread and a replica for each.
//
// Question: Two replicas on two processors: as threads of one process that copy parameters and add gradients
// in shared memory, or as two processes that exchange gradients over a socket. Which is faster here?
//
// PyTorch's DataParallel is one process. In every step it copies the parameters to each replica, splits the
// batch, runs each replica in a thread of its own, and adds the replicas' gradients up on the first device.
// DistributedDataParallel is a process for each replica: parameters stay where they are, since every rank
// makes the same step, and only gradients travel. In Python the threads of one process also take turns with
// the interpreter's lock, so that DataParallel is slow even on one machine, and PyTorch advises against it.
//
// When it does not matter, or hurts: here, in C++ on a CPU. There is no lock to wait for, and replicas in one
// process share memory: to copy parameters and to add gradients is a matter of memory speed, while two
// processes send the same bytes through the kernel. What is left of DataParallel's disadvantage is the copy
// of the parameters. On GPUs NCCL makes the exchange fast, and the threads' launches meet in one process.
//
// What it costs: a process holds its own copy of everything that is not shared, the data set too.
//
// A row is a forward and a backward pass over a batch of 256 rows through 4 layers of 256 by 256. On the
// first side rank 0 does it with a thread and a replica for each rank, on the same CPUs as the ranks have;
// the others do nothing. On the second side each rank does its share, with one all-reduce.
//
// Answer: Here, in C++ on a CPU, one process with threads may well win: copying parameters and adding
// gradients runs at memory speed, and no interpreter's lock makes threads take turns. In Python, and with
// NCCL on GPUs, a process for each rank is the advice.

#include "microbench/parallel/parallel_training.hpp"
#include "microbench/parallel/replica.hpp"

namespace microbench::parallel_data_parallel {

using namespace harness;
using namespace parallel;

Trial prepare(Setup& setup, const Point&) {
  constexpr NetShape shape{.layers = 4, .width = 256, .rows = 256};
  const auto s = std::make_shared<const Training>(setup, shape);
  if (setup.device.is_cuda()) throw Skip("DataParallel's exchange over devices has no C++ form");
  const bool is_first = s->rank->number() == 0;
  const auto threads = is_first ? std::make_shared<ReplicaThreads>(setup, shape, *s->rank) : nullptr;
  auto trial = training_trial(
      s,
      [s, threads] {
        if (threads) threads->train(s->naive);
      },
      [s] {
        s->loss(Form::optimized).backward();
        average_flat(*s->rank, s->optimized.gradients());
      });
  if (!is_first)  // it has taken no part in the naive form
    trial.answer = [of_both = trial.answer](Form form) {
      return form == Form::naive ? Answer(std::vector<float>()) : of_both(form);
    };
  return trial;
}

extern constexpr Step step = checked({
    .id = "parallel/data_parallel",
    .claim = "A process for each replica is faster than threads with a replica each in one process.",
    .claim_ids = "dist-ddp-vs-dp",
    .sides = {"threads", "processes"},
    .source = cuda_semantics("Use nn.parallel.DistributedDataParallel instead of multiprocessing or "
                             "nn.DataParallel"),
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = single_sums,
    .row_seconds = 15,
});

}  // namespace microbench::parallel_data_parallel
