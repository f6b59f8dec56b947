// Choose how many threads an operator is split among.
//
// Question: Which of three operators (a product, a large sum, small sums) gains from your second core, and
// which not at all?
//
// LibTorch splits a large operator into pieces, one for each OpenMP thread, and waits until the last piece is
// done. How many threads there are is the cheapest switch of all: OMP_NUM_THREADS before the start, or
// at::set_num_threads. What computes much for each byte (a matrix product) gains up to the number of cores.
// What only moves bytes gains until the memory is as busy as it can be: a few cores are enough for that where
// memory has few channels, a server's many channels take more. Small operators are not split at all: below
// 32768 elements LibTorch does not ask the others.
//
// When it hurts: with more threads than processors, since the last piece then waits for a thread that is not
// running. A container's quota hides this: the program sees all of the machine's processors. It also hurts
// inside of loader workers, whose threads then compete with the training's. (PyTorch's DataLoader gives each
// worker one thread; OpenCV and other libraries in it do not know that.) And it hurts where something else
// runs, since all threads wait for the one that was held up.
//
// A row measures one operator with one thread against as many threads as this process may use CPUs.
//
// Answer: The product gains most, nearly the number of cores, since it calculates much for each byte. The
// large sum gains until the memory is busy. The small sums gain nothing: below 32,768 elements LibTorch does
// not split them.

#include "harness/libtorch/generator.hpp"

#include "microbench/cpu/threads.hpp"
#include "microbench/tip.hpp"

namespace microbench::cpu_omp_threads {

enum class Work { product, sum, small_sums };
constexpr Axis axes[] = {
    {.name = "work",
     .about = "product: 512 x 512 matrices; sum: a + b of 4 Mi numbers; small_sums: 32 times a + b of 16 Ki",
     .labels = {"product", "sum", "small_sums"}},
};

struct State {
  at::Tensor a, b, out;
  ThreadCount threads;
};

void run(const State& s, Work work) {
  auto out = s.out;
  if (work == Work::product) {
    at::mm_out(out, s.a, s.b);
    return;
  }
  for (int i = 0; i < (work == Work::sum ? 1 : 32); ++i) at::add_out(out, s.a, s.b);
}

Trial prepare(Setup& setup, const Point& point) {
  const int all = several_cpus();
  const auto work = static_cast<Work>(point["work"]);
  const auto rows = work == Work::product ? 512 : work == Work::sum ? 4096 : 16;
  const auto columns = work == Work::product ? 512 : 1024;
  auto random = host_generator(setup.seed);
  const auto options = at::TensorOptions().dtype(at::kFloat);
  const auto s = std::make_shared<State>();
  s->a = at::randn({rows, columns}, random, options);
  s->b = at::randn({rows, columns}, random, options);
  s->out = at::empty_like(s->a);

  const auto form = [s, work] { run(*s, work); };
  return {
      .naive = form,
      .optimized = form,
      .clear = [s] { s->out.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .before_slot = [s, all](Form which) { s->threads.set(which == Form::naive ? 1 : all); },
  };
}

extern constexpr Step step = checked({
    .id = "cpu/omp_threads",
    .claim = "As many threads as CPUs make a large operator faster than one thread.",
    .claim_ids = "cpu-omp-threads",
    .sides = {"one thread", "all threads"},
    .source = tuning_guide("CPU specific optimizations, Utilize OpenMP"),
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 1e-5, .why = "a product that is split may be added up in another order"},
});

}  // namespace microbench::cpu_omp_threads
