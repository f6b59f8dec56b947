// Take processes as workers where samples are decoded by Python's own code; threads where a library does it.
//
// Question: Two workers decode eight batches. As threads of one Python they share its memory and start at
// once. When are they as fast as two processes?
//
// An interpreter with the global lock (GIL) runs one thread's Python at a time. Two threads that parse text
// or go through lists take turns, and the second core has nothing to do. A library that lets go of the lock
// while it computes, as decompression, image decoding and most of NumPy do, runs on both. Processes have a
// lock each; what they cost is a start (dataload/start_method), memory of their own
// (dataload/python_objects), and the way of each batch through a pipe or shared memory. A build of Python
// without the lock, 3.13t and later, runs threads at the same time in any case.
//
// When it does not matter: `decode:library`, and where one core is all there is. When threads are right:
// there, where batches are large and their way to another process is what counts, and in a free-threaded
// Python.
//
// A row gives eight batches to two workers that were started before: by multiprocessing, as threads and as
// forked processes. What each returns is one number, so that the way of a batch is not in it. `decode:python`
// adds up the numbers of a text, `decode:library` unpacks 4 MiB by zlib.
//
// Answer: Where the work is done outside of the lock: with `decode:library` they are alike; with
// `decode:python` the threads take turns, so on two cores processes take down to half the time (28 % less on
// two cores of an EPYC, commit 3623156). In the source a loader reads images from disk: threads were about 30
// % slower than processes with the lock, and as fast without it. With data in memory threads were as fast and
// took a half to a third of the memory.

#include "microbench/dataload/python_workers.hpp"
#include "microbench/python_side.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_thread_workers {

constexpr Axis axes[] = {{.name = "decode",
                          .about = "what decodes a sample: Python's own code, or a library without its lock",
                          .labels = {"python", "library"}}};

Trial prepare(Setup& setup, const Point& point) {
  // A Python of its own: its workers stay, and the other steps fork theirs from one without any.
  const auto s = python_side(setup, "dataload/thread_workers", workers_script());
  const std::string decode = axes[0].text(point["decode"]);
  return {
      .naive = [s, decode] { s->seen = s->python.ask("threads/" + decode); },
      .optimized = [s, decode] { s->seen = s->python.ask("processes/" + decode); },
      .clear = [s] { s->seen.clear(); },
      .answer = [s](Form) -> Answer { return s->seen_bytes(); },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/thread_workers",
    .claim = "Workers that decode by Python's own code are faster as processes than as threads.",
    .sides = {"threads", "processes"},
    .source = {"PyTorch", "https://github.com/pytorch/pytorch/pull/161044", "pull request 161044, Insights"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "threads about 30 % slower with Python's lock (images from disk)",
                    .on_cpu = Outcome::helps,
                    .about = "decode:python"},
    .row_seconds = 10,
});

}  // namespace microbench::dataload_thread_workers
