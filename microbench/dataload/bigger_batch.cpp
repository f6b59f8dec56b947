// Take larger batches, so that the same samples need fewer of them.
//
// Question: By what factor are 1024 samples faster in batches of 64 than in batches of 8, and in batches of
// 1024 than in batches of 128?
//
// Much of what a step costs does not depend on how many samples it has: the call of the loader, the copy's
// start, the operators' calls, the kernels' starts. With small batches that is most of the time, and the
// device is idle in between; a batch eight times as large pays it an eighth as often for the same samples.
// Where memory ends, gradients can be summed over several batches: that gives the large batch's gradient
// (autograd/accumulation says when), but none of its speed. Doubling the batch is also a quick diagnosis: a
// step that hardly gets longer was waiting for something other than arithmetic.
//
// When it does not matter: once the batch fills the device (or the core), since the time then grows with it;
// where something else is the price, for instance hundreds of tiny kernels in each step or a slow loader.
// What it changes is the training itself: fewer, larger steps converge differently.
//
// A row measures one pass over 1024 samples of 128 numbers: pick a batch, copy it to the device, forward and
// backward through two layers, gradients summed up. Optimized takes batches eight times as large. No weight
// is updated, so both sides have the same gradient in the end.
//
// Answer: From 8 to 64 the calls are paid for an eighth as often, so the factor comes near 8 as long as a
// step is mostly calls. From 128 to 1,024 the arithmetic fills the core or the device, and little or nothing
// is gained.

#include "harness/libtorch/work_counts.hpp"

#include "microbench/dataload/transforms.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_bigger_batch {

constexpr std::int64_t sizes[] = {8, 32, 128};
constexpr Axis axes[] = {
    {.name = "batch",
     .about = "samples of a batch in the slow form; the fast one takes eight times as many",
     .values = sizes,
     .quick = {8}},
};
constexpr std::int64_t larger = 8;
constexpr std::int64_t samples = 1024;
constexpr std::int64_t width = 128;

struct State {
  at::Tensor data, order;    // on the host, where a data set lies
  at::Tensor first, second;  // the layers
  at::Tensor gradient() const { return at::cat({first.grad().flatten(), second.grad().flatten()}); }
  void forget_gradient() const {
    first.mutable_grad() = at::Tensor();
    second.mutable_grad() = at::Tensor();
  }
};

void epoch(const State& s, std::int64_t batch) {
  s.forget_gradient();
  for (std::int64_t begin = 0; begin < samples; begin += batch) {
    const auto x = s.data.index_select(0, s.order.narrow(0, begin, batch)).to(s.first.device());
    at::mm(at::relu(at::mm(x, s.first)), s.second).square().sum().backward();
  }
}

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["batch"] != sizes[1];
}

Trial prepare(Setup& setup, const Point& point) {
  const auto batch = point["batch"];
  const auto device = torch_device(setup.device);
  const auto s = std::make_shared<State>();
  s->data = random_features(samples, width, setup.seed);
  s->order = at::argsort(random_features(samples, 1, setup.seed + 1).flatten());
  s->first = (random_features(width, 2 * width, setup.seed + 2) / width).to(device).set_requires_grad(true);
  s->second = (random_features(2 * width, 16, setup.seed + 3) / width).to(device).set_requires_grad(true);

  const auto peak = [s](std::int64_t size) {
    s->forget_gradient();
    return peak_bytes([&] { epoch(*s, size); }) / (1 << 20);
  };
  return {
      .naive = [s, batch] { epoch(*s, batch); },
      .optimized = [s, batch] { epoch(*s, larger * batch); },
      .clear =
          [s] {
            s->first.mutable_grad() = at::full_like(s->first, -1);
            s->second.mutable_grad() = at::full_like(s->second, -1);
          },
      .answer = [s](Form) { return numbers_of(s->gradient()); },
      .figures = [peak, batch]() -> std::vector<Figure> {
        return {{"peak memory", "MiB", peak(batch), peak(larger * batch)}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/bigger_batch",
    .claim = "Batches eight times as large make a pass over the same samples shorter.",
    .claim_ids = "data-bigger-batch",
    .sides = {"small batches", "larger batches"},
    .source = go_brrrr("Overhead"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 1e-4, .why = "the samples' gradients are added up in another order"},
});

}  // namespace microbench::dataload_bigger_batch
