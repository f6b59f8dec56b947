// Stop the clock when the work has ended, not when the call that started it has returned.
//
// Question: A product takes a millisecond. What does a clock say that is read as soon as its call returns?
//
// A call that starts work on a device queues it and returns after some microseconds; the work runs later. A
// clock around the call therefore times the queueing. The mistake hides well: the numbers are plausible, they
// repeat, and they hardly change with the size of the work, which looks like a very fast device. The next
// line that waits pays for it, so the wrong line looks slow. The host alone has the same trap in every
// asynchronous interface: threads, futures, `write` into the page cache.
//
// When it does not matter: where something within the timed region waits anyway, such as reading the result;
// for a loop so long that the queue is full and the host waits for room.
//
// A row has both timers read the same work five times: the wrong one stops its clock before it waits, the
// right one after. On the device the work is a product, on the CPU arithmetic that a second thread does. The
// verdict compares the timers: `too little` says that the wrong one reads less.
//
// Answer: What queueing costs: some microseconds, whatever the size of the product. A first call takes
// longer, since it loads the library and its kernels. STGym's author saw 0.08 s instead of 1.8 s.

#include "microbench/overlap/host_work.hpp"
#include "microbench/tip.hpp"
#include "microbench/traps/timers.hpp"

#include <future>

namespace microbench::traps_clock_before_end {

constexpr double work_seconds = 2e-3;  // of the second thread

/// The product on the device, or the second thread's arithmetic.
struct State {
  State(const Device& on, int host_rounds) : device(on), rounds(host_rounds) {
    if (!device.is_cuda()) return;
    factor = at::full({2048, 2048}, 1.0F / 2048, at::TensorOptions().device(torch_device(device)));
    product = at::empty_like(factor);
  }
  void begin() {
    if (device.is_cuda())
      at::mm_out(product, factor, factor);
    else
      other = std::async(std::launch::async, [n = rounds] { return host_work(0.25F, n); });
  }
  void wait() {
    finish(device);
    if (other.valid()) result = other.get();
  }
  Device device;
  int rounds;
  at::Tensor factor, product;
  std::future<float> other;
  float result = 0;
};

Trial prepare(Setup& setup, const Point&) {
  const auto rounds =
      setup.calibrated("traps/clock_before_end", [] { return host_work_rounds(work_seconds); });
  const auto s = std::make_shared<State>(setup.device, rounds);
  const auto wrong = [s] {
    const double seconds = host_seconds([&] { s->begin(); });
    s->wait();
    return seconds;
  };
  const auto right = [s] { return host_seconds([&] { s->begin(), s->wait(); }); };
  const auto clear = [s] {
    s->result = -1;
    if (s->device.is_cuda()) s->product.fill_(-1);
  };
  const auto answer = [s](Form) -> Answer {
    return s->device.is_cuda() ? numbers_of(s->product) : std::vector<float>{s->result};
  };
  return timer_trial({[=] { return typical(wrong); }, [=] { return typical(right); }}, clear, answer);
}

extern constexpr Step step = checked({
    .id = "traps/clock_before_end",
    .claim = "A clock that is stopped before the work has ended says far too little.",
    .claim_ids = "diag-no-sync-timing",
    .sides = timer_sides,
    .source = {.title = "CUDA C++ Best Practices Guide",
               .url = "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/index.html",
               .where = "9.1.1 Using CPU Timers"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::hurts,
                    .published = "0.08 s instead of 1.8 s (n = 20000; xiaohan2012.github.io)",
                    .on_cpu = Outcome::hurts},
    .row_seconds = 2,
});

}  // namespace microbench::traps_clock_before_end
