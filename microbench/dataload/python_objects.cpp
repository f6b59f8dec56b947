// Keep the index of a data set in one array, not in a list of Python objects.
//
// Question: 200,000 small dictionaries are shared with a forked worker, which only reads them. How much
// memory of its own does it have after an epoch?
//
// A forked worker shares all pages with its parent until one of the two writes to a page, which is then
// copied. Reading looks harmless, but in Python each object counts who refers to it, in the object itself: to
// look at a sample is to write to it. After an epoch each worker has a copy of all pages that hold objects,
// and memory grows with the number of workers until the system ends the job. An array is one object: its
// numbers are read without any count, and the pages stay shared. Put numbers into one array or tensor, texts
// one after the other with the places where they begin.
//
// When it does not matter: for few samples; where samples are files and the list holds only names that fit
// into memory once for each worker. Where workers are spawned, each has a copy from the start, and an array
// is the smaller one.
//
// The result is memory, and the verdict is about it: what a worker that was forked for the epoch has written
// to, as the system counts it (Private in smaps_rollup). The times stand beside it. Python's collector of
// garbage is off, since it would write to objects too.
//
// Answer: About as much as the objects take, because reading each has copied its page; with an array next to
// nothing. One report has a training run that grew from 5 to 17 GB with its workers.

#include "microbench/dataload/python_workers.hpp"
#include "microbench/python_side.hpp"
#include "microbench/tip.hpp"

#include <sstream>

namespace microbench::dataload_python_objects {

/// What the worker found is the answer; returns the MiB that it has of its own.
double epoch(PythonSide& side, Form form) {
  std::istringstream said(side.python.ask(form == Form::naive ? "objects" : "array"));
  double kib = 0;
  said >> side.seen >> kib;
  return kib / 1024;
}

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!std::filesystem::exists("/proc/self/smaps_rollup"))
    throw Skip("the system does not tell which memory is a process's own (/proc/self/smaps_rollup)");
  const auto s = python_side(setup, "dataload/python_workers", workers_script());
  return {
      .naive = [s] { epoch(*s, Form::naive); },
      .optimized = [s] { epoch(*s, Form::optimized); },
      .clear = [s] { s->seen.clear(); },
      .answer = [s](Form) -> Answer { return s->seen_bytes(); },
      .figures = [s]() -> std::vector<Figure> {
        return {{"a worker's own memory", "MiB", epoch(*s, Form::naive), epoch(*s, Form::optimized)}};
      },
      .statistic = Statistic::figure,
  };
}

extern constexpr Step step = checked({
    .id = "dataload/python_objects",
    .claim = "A worker that reads an array keeps sharing its memory; reading Python objects copies it.",
    .sides = {"objects", "an array"},
    .source = {"PyTorch", "https://github.com/pytorch/pytorch/issues/5902", "issue 5902"},
    .runs = Runs::host,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "5 -> 17 GB", .on_cpu = Outcome::helps},
    .row_seconds = 20,
});

}  // namespace microbench::dataload_python_objects
