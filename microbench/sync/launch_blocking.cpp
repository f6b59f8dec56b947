// Leave CUDA_LAUNCH_BLOCKING out of the environment: with it every launch waits for its kernel.
//
// Question: Two hundred short kernels, each waited for by its launch: how much longer do they take than when
// the host only queues them?
//
// A launch usually puts a command into a queue and returns. An error of the kernel then shows up at some
// later call, which makes it hard to find, so CUDA has a switch for debugging: with CUDA_LAUNCH_BLOCKING=1
// each launch returns only when its kernel is done. The host never runs ahead, the device idles between any
// two kernels, and streams no longer overlap. The switch has a way of staying in a shell's start-up file or a
// job script after the bug is found.
//
// What it costs depends on the kernels: short ones, as in small networks, suffer most. When it does not
// matter: where kernels take milliseconds, and where the program waits for each of them anyway.
//
// CUDA reads the variable once, when it starts. So each side is a process of its own, and a run is a message
// to it and its answer, which takes both sides some tens of microseconds.
//
// Answer: By the sum of a wait and a launch for each kernel: several times as long for kernels of a few
// microseconds, hardly longer for kernels of milliseconds. Look whether your job script still sets it.

#include "microbench/remote_sources.hpp"
#include "microbench/tip.hpp"

namespace microbench::sync_launch_blocking {

Trial prepare(Setup& setup, const Point&) {
  return remote_trial(std::make_shared<RemoteForms>(remote_source("sync/launch_blocking", setup.device),
                                                    RemoteForms::Environment{"CUDA_LAUNCH_BLOCKING=1"},
                                                    RemoteForms::Environment{"CUDA_LAUNCH_BLOCKING=0"}));
}

extern constexpr Step step = checked({
    .id = "sync/launch_blocking",
    .claim = "With CUDA_LAUNCH_BLOCKING=1 short kernels take longer, since each launch waits for its kernel.",
    .claim_ids = "sync-launch-blocking",
    .sides = {"blocking", "asynchronous"},
    .source = cuda_semantics("Asynchronous execution"),
    .runs = Runs::cuda,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .row_seconds = 8,
});

}  // namespace microbench::sync_launch_blocking
