// Fork the workers of a Python loader where nothing speaks against it, or start them once.
//
// Question: Two workers in Python are started, and have nothing to import but Python's own library. How long
// until the first batches, forked and spawned?
//
// A fork copies the process as it is: pages are shared until somebody writes to them, and the worker has all
// modules and the data set at once. A spawned worker is a new interpreter, which imports what it needs and
// gets the data set pickled through a pipe. `forkserver` forks workers from a small server that is started
// once: the server is clean of threads, but its workers have to import what it has not. Fork was Linux's
// default up to Python 3.13; since 3.14 it is forkserver, and on macOS and Windows spawn.
//
// When it does not matter: with persistent_workers, where all of it happens once in a training run; with long
// epochs. When forking hurts: where the process has used CUDA or runs threads that hold locks, since a forked
// child has neither the context nor the threads. Start the workers before that, or leave it at forkserver.
//
// A row starts two workers by multiprocessing, waits for eight small results, and ends them. Unlike those of
// a real loader, these workers do not import PyTorch: spawn and forkserver cost at least what the row shows.
//
// Answer: Forked, some milliseconds to a few tens; spawned, an interpreter's start and its imports for each;
// by a warm forkserver in between. On two cores of an EPYC forking took 84 % less than spawning and 38 % less
// than a warm forkserver (commit 3623156). With PyTorch to import it is seconds.

#include "microbench/dataload/python_workers.hpp"
#include "microbench/python_side.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_start_method {

constexpr Axis axes[] = {{.name = "instead_of",
                          .about = "how the slow form starts its workers; the server is started before",
                          .labels = {"spawn", "forkserver"}}};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = python_side(setup, "dataload/python_workers", workers_script());
  const std::string method = axes[0].text(point["instead_of"]);
  return {
      .naive = [s, method] { s->seen = s->python.ask(method); },
      .optimized = [s] { s->seen = s->python.ask("fork"); },
      .clear = [s] { s->seen.clear(); },
      .answer = [s](Form) -> Answer { return s->seen_bytes(); },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/start_method",
    .claim = "Workers in Python that are forked give the first batch sooner than others.",
    .sides = {"new interpreters", "forked"},
    .source = {"PyTorch", "https://github.com/pytorch/pytorch/issues/169252", "issue 169252"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .row_seconds = 20,
});

}  // namespace microbench::dataload_start_method
