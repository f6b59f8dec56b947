// Smaller activations: less memory, and less time where memory is what the step waits for.
//
// Question: The hidden layer gets half as wide. Does the step take half as long at batch 65536, and at batch
// 256?
//
// Between the forward and the backward pass a network keeps what its layers put out. The nonlinearities
// between the products do little arithmetic on each value, so their time is that of reading and writing it.
// This time, what is kept, and the products here shrink with the hidden width; products between two hidden
// layers shrink with its square. The freed memory lets the batch grow.
//
// What it costs is the model: a narrower network can express less, which no row here can show. So that the
// answers can be compared, the further units of the wide network are dead: their weights are zero, and they
// cost what live units cost.
//
// When it does not matter: where the step waits for launches and not for memory (`batch:256`): the number of
// operators stays the same, and so does the time. Peak memory stands beside the times.
//
// A run is a forward and a backward pass of two layers, from 64 over `hidden` to 64 values; naive: 256 wide.
//
// Answer: At 65,536 about half: products, activations and bytes all shrink with the hidden width. At 256 no:
// the step waits for the same number of launches.

#include "harness/libtorch/generator.hpp"
#include "harness/libtorch/work_counts.hpp"

#include "microbench/tip.hpp"

namespace microbench::memory_grad_activation_size {

constexpr std::int64_t batches[] = {256, 65536};
constexpr Axis axes[] = {{.name = "batch", .about = "rows of input", .values = batches},
                         {.name = "hidden", .about = "width of the optimized form", .values = {128, 64}}};
constexpr std::int64_t wide = 256;
constexpr std::int64_t io = 64;  // values that go in, and come out

struct Network {
  at::Tensor in_to_hidden, hidden_to_out;
};

struct State {
  at::Tensor input, gradient;  // the input's
  Network naive, optimized;

  void pass(const Network& network) {
    const auto hidden = at::gelu(at::mm(input, network.in_to_hidden));
    at::mm(hidden, network.hidden_to_out).square().mean().backward();
    gradient = input.grad();
    input.mutable_grad().reset();
    network.in_to_hidden.mutable_grad().reset();
    network.hidden_to_out.mutable_grad().reset();
  }
};

/// The same network in `width` units: what the narrow one lacks is zero.
Network widened(const Network& narrow, std::int64_t width) {
  const auto more = width - narrow.in_to_hidden.size(1);
  return {at::constant_pad_nd(narrow.in_to_hidden, {0, more}).requires_grad_(),
          at::constant_pad_nd(narrow.hidden_to_out, {0, 0, 0, more}).requires_grad_()};
}

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["batch"] == batches[0];
}

Trial prepare(Setup& setup, const Point& point) {
  const auto batch = point["batch"];
  const auto width = point["hidden"];
  const auto device = torch_device(setup.device);
  const auto generator = host_generator(setup.seed);
  const Network narrow{at::randn({io, width}, generator).to(device),
                       at::randn({width, io}, generator).to(device)};
  const auto s = std::make_shared<State>();
  s->input = at::randn({batch, io}, generator).to(device).requires_grad_();
  s->naive = widened(narrow, wide);
  s->optimized = widened(narrow, width);

  const auto naive = [s] { s->pass(s->naive); };
  const auto optimized = [s] { s->pass(s->optimized); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->gradient = at::full_like(s->input, -1); },
      .answer = [s](Form) { return numbers_of(s->gradient); },
      .figures = [s, naive, optimized]() -> std::vector<Figure> {
        constexpr double mib = 1 << 20;
        s->gradient.reset();
        const auto of_naive = peak_bytes(naive) / mib;
        s->gradient.reset();
        return {{"peak memory", "MiB", of_naive, peak_bytes(optimized) / mib}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "memory/grad_activation_size",
    .claim = "A narrower hidden layer cuts time and peak memory where the step waits for memory.",
    .claim_ids = "grad-activation-size",
    .sides = {"256 wide", "narrower"},
    .source = go_brrrr("Bandwidth"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "batch:65536"},
    .tolerance = {.relative = 1e-4, .why = "sums over 256 and over fewer terms are split in different ways"},
});

}  // namespace microbench::memory_grad_activation_size
