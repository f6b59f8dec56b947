// Put the samples of a batch together with few threads instead of all of them.
//
// Question: A quarter of the threads that were started have a processor. How much longer does collating take
// than with one thread?
//
// Collating copies tensors one after another: short pieces of work that wait for memory. LibTorch splits each
// piece among all OpenMP threads, wakes them, and waits at the end of each piece for the last one. On a
// machine with two sockets the threads lie on both, and each hand-over crosses the link between them. In a
// container the program sees all of the machine's processors and starts as many threads, while its quota lets
// a few of them run: every wait is then for a thread that has no processor, often for milliseconds. The
// project that this suite follows measured it on two sockets with 32 threads and cured it with one to four.
//
// When it does not matter: on one socket with a processor for each thread, where all of them may even be
// quicker (`threads:all`).
//
// A row measures at::cat of 8 tensors of 1 MiB; the second side has one thread. The first side has as many
// threads as this process may use CPUs (`threads:all`), or four times as many (`threads:fourfold`): what a
// quota of a quarter of the machine makes of the default.
//
// Answer: 50 to 660 times as long, by the source (32 threads on two sockets): each short copy waits for
// threads that have no processor, and such a wait is a time slice, not microseconds. With a processor for
// each thread it may even be quicker than one.

#include "microbench/cpu/threads.hpp"
#include "microbench/dataload/transforms.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_omp_collate {

constexpr Axis axes[] = {
    {.name = "threads",
     .about = "of the slow form. fourfold: four for each CPU that this process may use; all: one for each",
     .labels = {"fourfold", "all"}},
};
constexpr std::int64_t samples = 8;
constexpr std::int64_t rows = 4096;
constexpr std::int64_t width = 64;

struct State {
  std::vector<at::Tensor> parts;
  at::Tensor batch;
  ThreadCount threads;
};

Trial prepare(Setup& setup, const Point& point) {
  const bool fourfold = point["threads"] == 0;
  const int many = fourfold ? 4 * read_host().cpus_allowed : several_cpus();
  const auto s = std::make_shared<State>();
  for (std::int64_t i = 0; i < samples; ++i)
    s->parts.push_back(random_features(rows, width, setup.seed + static_cast<std::uint64_t>(i)));
  s->batch = at::empty({samples * rows, width});

  const auto collate = [s] { at::cat_out(s->batch, s->parts, 0); };
  return {
      .naive = collate,
      .optimized = collate,
      .clear = [s] { s->batch.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->batch); },
      .before_slot = [s, many](Form form) { s->threads.set(form == Form::naive ? many : 1); },
      .bytes_moved = static_cast<std::size_t>(2 * samples * rows * width) * sizeof(float),
  };
}

extern constexpr Step step = checked({
    .id = "dataload/omp_collate",
    .claim = "Collating with one thread is faster than with more threads than there are processors.",
    .claim_ids = "data-omp-collate",
    .sides = {"all threads", "one thread"},
    .source = {.title = "xiaohan2012/stgym",
               .url = "https://github.com/xiaohan2012/stgym",
               .where = "commit e25a3fc (#121)"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "50 to 660 times (32 threads, two-socket Xeon)",
                    .about = "threads:fourfold"},
});

}  // namespace microbench::dataload_omp_collate
