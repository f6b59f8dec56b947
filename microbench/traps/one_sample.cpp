// Take many samples and give their median; one sample is whatever it happens to be.
//
// Question: The same product is timed twenty times. How far apart are the largest and the smallest reading?
//
// A run is held up now and then: by an interrupt, by another process, by clocks that change, by a page that
// is missing. Most runs look alike and some stick out, so that a single one may be either. A median over some
// twenty runs hides the ones that stick out, and twenty such medians lie close together. The case study that
// this suite follows reports one and the same state as 19 and as 20 s an epoch.
//
// When it does not matter: where an effect is many times larger than the scatter. That takes a look at the
// scatter, so it takes more than one sample.
//
// A row has both timers read a product twenty times, the wrong one from one run each, the right one from the
// median of 21, and gives the largest reading as a multiple of the smallest: 1.00 x is a timer that always
// says the same. The verdict compares the timers: `too much` says that the wrong one scatters more.
//
// Answer: On a quiet machine by some percent, on a busy one by a factor: one reading that was held up is
// enough. Medians of 21 runs lie far closer together.

#include "microbench/tip.hpp"
#include "microbench/traps/timers.hpp"

namespace microbench::traps_one_sample {

constexpr int readings = 20;
constexpr int samples = 21;

struct State {
  explicit State(const Device& on)
      : device(on),
        factor(at::full({128, 128}, 1.0F / 128, at::TensorOptions().device(torch_device(on)))),
        product(at::empty_like(factor)) {}
  double sample() {
    return host_seconds([&] { at::mm_out(product, factor, factor), finish(device); });
  }
  /// The largest of twenty readings beside the smallest.
  double scatter(int samples_each) {
    sample();  // untimed: another trap
    double least = typical([&] { return sample(); }, samples_each);
    double most = least;
    for (int i = 1; i < readings; ++i) {
      const double reading = typical([&] { return sample(); }, samples_each);
      least = std::min(least, reading);
      most = std::max(most, reading);
    }
    return most / least;
  }
  Device device;
  at::Tensor factor, product;
};

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<State>(setup.device);
  return timer_trial(
      {[s] { return s->scatter(1); }, [s] { return s->scatter(samples); }, "x"},
      [s] { s->product.fill_(-1); }, [s](Form) -> Answer { return numbers_of(s->product); });
}

extern constexpr Step step = checked({
    .id = "traps/one_sample",
    .claim = "Readings of one sample each scatter more than medians of many.",
    .sides = timer_sides,
    .source = {.title = "90% speedup in PyTorch CUDA training",
               .url = "https://xiaohan2012.github.io/2025/torch-cuda-optimization",
               .where = "the same state before and after a step"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "one state is reported as 19 and as 20 s/epoch (A30)",
                    .on_cpu = Outcome::helps},
    .row_seconds = 2,
});

}  // namespace microbench::traps_one_sample
