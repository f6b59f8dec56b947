// Tie each thread to its own CPU instead of letting the system move it.
//
// Question: Your threads are tied to a CPU each. On a machine as quiet as yours is now, does that change
// anything, at 1 MiB or at 64 MiB?
//
// The scheduler may move a thread to another CPU whenever it wakes. What the thread had in the caches of the
// old one is then fetched again, and two threads of one team may meet on one CPU for a while, so that the
// whole team waits for them. OMP_PROC_BIND=close and GOMP_CPU_AFFINITY tie each thread of the team to a place
// when the program starts. A program can do the same with sched_setaffinity. This step does so, because an
// OpenMP library reads its environment only once.
//
// When it does not matter: on a quiet machine with as many CPUs as threads the scheduler leaves them where
// they are. When it hurts: if something else needs one of these CPUs, a thread that is tied cannot give way,
// and if two programs tie their threads to the same CPUs, the other ones idle. A process that is forked
// inherits the CPUs of the thread that forks it (sched_setaffinity(2)): a DataLoader's workers, forked by a
// main thread that OMP_PROC_BIND has tied, all share its one CPU.
//
// A row measures a = a + b over tensors of LibTorch, split among as many threads as this process may use
// CPUs. With `bytes:1MiB` each thread's share can stay in its CPU's caches from run to run, which a move
// would lose; of `bytes:64MiB` hardly anything can. The threads are tied and released between the slots.
//
// Answer: On a quiet machine with as many CPUs as threads: nothing, at either size, because the scheduler
// leaves the threads where they are. If it moves them, 1 MiB suffers more than 64 MiB, whose bytes no cache
// holds anyway.

#include "microbench/cpu/threads.hpp"
#include "microbench/tip.hpp"

namespace microbench::cpu_affinity {

constexpr Axis axes[] = {{.name = "bytes",
                          .about = "of each of the two tensors",
                          .values = {1 << 20, 64 << 20},
                          .unit = Unit::bytes}};

struct State {
  at::Tensor a, b;
  ThreadCount threads;
  Binding binding;  // behind the count: it goes first, and reaches all of the threads that it has tied
};

Trial prepare(Setup&, const Point& point) {
  const int all = several_cpus();
  const auto s = std::make_shared<State>();
  if (!s->binding.let_go()) throw Skip("the system does not let threads be tied to CPUs");
  s->a = at::zeros({point["bytes"] / static_cast<std::int64_t>(sizeof(float))});
  s->b = at::ones_like(s->a);

  const auto form = [s] { s->a.add_(s->b); };
  return {
      .naive = form,
      .optimized = form,
      .clear = [s] { s->a.zero_(); },
      .answer = [s](Form) { return numbers_of(s->a); },
      .before_slot =
          [s, all](Form which) {
            s->threads.set(all);
            which == Form::naive ? s->binding.let_go() : s->binding.tie();
          },
  };
}

extern constexpr Step step = checked({
    .id = "cpu/affinity",
    .claim = "Threads that are tied to a CPU each finish an operator sooner than threads that may move.",
    .claim_ids = "cpu-affinity",
    .sides = {"free", "tied"},
    .source = tuning_guide("CPU specific optimizations, Utilize OpenMP"),
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::cpu_affinity
