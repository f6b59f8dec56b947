// Write the result where it is to lie (out=) instead of building it from pieces.
//
// Question: A running sum with a zero in front: does it matter more where the zero is made, or that the two
// are joined?
//
// Offsets into batched data are the running sum of the sizes, with a 0 in front. The obvious way makes the
// zero, makes the sums, and joins the two: three tensors for one, three operators, and a copy of everything.
// An out= variant writes the sums straight after a zero that is already there: one operator, nothing new.
//
// Where the zero is made matters more than the allocation. torch.tensor([0]) is made on the host, so with
// `zero:on_host` its way to the device is a copy from pageable memory for which the host waits, and the queue
// runs empty. With `zero:on_device` that copy disappears, and only the temporaries and their operators
// remain.
//
// When it does not matter: for large results whose arithmetic takes longer than the operators around it. On
// the CPU there is no copy to the device, hence one row only for each size; what remains there is the work
// of allocating and of calling operators.
//
// Both sides give back int64 offsets; they are whole numbers and must agree exactly.
//
// Answer: Where the zero is made, on a device: made on the host, it is a copy that the host waits for.
// Joining is a kernel and a pass, which matters for small results only by its call. On a CPU nothing but the
// joining is left.

#include "microbench/tip.hpp"

namespace microbench::memory_alloc_out_variant {

constexpr Axis axes[] = {{.name = "n", .about = "sizes to add up", .values = {32, 4096, 1 << 20}},
                         {.name = "zero",
                          .about = "where the naive form makes the zero in front",
                          .labels = {"on_device", "on_host"}}};
constexpr std::int64_t most_on_cpu = 4096;

struct State {
  at::Tensor lengths, joined;
  at::Tensor offsets, behind_zero;  // the second is a view of the first
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || (point["zero"] == 0 && point["n"] <= most_on_cpu);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const bool on_host = point["zero"] == 1;
  const auto device = torch_device(setup.device);
  const auto options = at::TensorOptions().device(device).dtype(at::kLong);
  const auto s = std::make_shared<State>();
  s->lengths = at::arange(n, options).remainder_(7);
  s->offsets = at::zeros({n + 1}, options);
  s->behind_zero = s->offsets.narrow(0, 1, n);
  const auto zero = at::TensorOptions().dtype(at::kLong).device(on_host ? at::Device(at::kCPU) : device);

  return {
      .naive =
          [s, zero, device] {
            const auto first = at::zeros({1}, zero).to(device);
            s->joined = at::cat({first, at::cumsum(s->lengths, 0)});
          },
      .optimized = [s] { at::cumsum_out(s->behind_zero, s->lengths, 0); },
      .clear =
          [s] {
            s->joined = at::full_like(s->offsets, -1);
            s->behind_zero.fill_(-1);
          },
      .answer =
          [s](Form form) {
            // Modulo a prime, so that float holds them exactly.
            return numbers_of((form == Form::naive ? s->joined : s->offsets).remainder(1'000'003));
          },
  };
}

extern constexpr Step step = checked({
    .id = "memory/alloc_out_variant",
    .claim = "Writing a running sum after a ready zero (out=) beats joining the two.",
    .claim_ids = "alloc-out-variant",
    .sides = {"joined", "out="},
    .source = {.title = "xiaohan2012/stgym",
               .url = "https://github.com/xiaohan2012/stgym",
               .where = "commit 2d78769: batch offsets without a scalar from the host"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::memory_alloc_out_variant
