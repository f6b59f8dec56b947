// Hand a number to a kernel as a number, not as a tensor that is made for it in every step.
//
// Question: A constant of four bytes is made into a device tensor in every step. How long is the host held up
// for those four bytes?
//
// `torch.tensor(k, device=...)` looks like a constant. It makes a tensor on the host, takes memory of the
// device, copies four bytes from ordinary memory and waits for them. In a loop it does so every time: the
// host stands still for a whole transfer's latency, and the device meanwhile runs out of queued work. The
// bytes are nothing, the copy is everything.
//
// When it does not matter: outside of loops; and on the CPU, where nothing crosses a bus and what is left is
// the making of a small tensor. While a CUDA graph is captured the first side is not even allowed.
//
// `cure` is what is done instead. `scalar` passes the number itself, which travels with the kernel's
// arguments. `fill` makes a tensor on the device and has a kernel write the number (at::full), which costs a
// launch but no wait. `cached` makes the tensor once, before the loop, where the number does not change.
//
// A row times 50 steps of one addition each over 65,536 values. Nothing on the device takes long here, so
// that the host's part shows: this is the regime in which such constants hurt.
//
// Answer: For a whole transfer's latency, some ten microseconds, and the queue runs dry in that time. As a
// kernel's argument the number costs nothing, and a fill on the device costs a launch.

#include "microbench/host_time.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::transfer_scalar_tensor {

constexpr int loop = 50;
constexpr float number = 1;
enum Cure : std::int64_t { scalar, fill, cached };
constexpr Axis axes[] = {
    {.name = "cure",
     .about = "scalar: the number is an argument; fill: a kernel writes it; cached: the tensor is made once",
     .labels = {"scalar", "fill", "cached"}}};

struct State {
  at::TensorOptions options;
  at::Tensor sum, constant;
  void step_with(std::int64_t cure) {
    if (cure == scalar)
      sum.add_(number);
    else
      sum.add_(cure == fill ? at::full({1}, number, options) : constant);
  }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto cure = point["cure"];
  const auto s = std::make_shared<State>();
  s->options = at::TensorOptions().dtype(at::kFloat).device(torch_device(setup.device));
  s->sum = at::zeros({1 << 16}, s->options);
  s->constant = at::full({1}, number, s->options);

  const auto naive = [s] {
    for (int i = 0; i < loop; ++i) s->sum.add_(at::tensor(number, s->options));
  };
  const auto optimized = [s, cure] {
    for (int i = 0; i < loop; ++i) s->step_with(cure);
  };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->sum.zero_(); },
      .answer = [s](Form) { return numbers_of(s->sum); },
      .figures = [naive, optimized, device = setup.device]() -> std::vector<Figure> {
        return {host_kept(naive, optimized), sent_to_device(device, naive, optimized)};
      },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/scalar_tensor",
    .claim = "A number made into a device tensor in every step costs a copy and a wait that it need not.",
    .claim_ids = "xfer-scalar-tensor",
    .sides = {"tensor", "number"},
    .source = {.title = "Optimizing PyTorch CUDA performance: a 90% speedup journey",
               .url = "https://xiaohan2012.github.io/2025/torch-cuda-optimization",
               .where = "step 3, the code after it (what follows from it is read off the code)"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::transfer_scalar_tensor
