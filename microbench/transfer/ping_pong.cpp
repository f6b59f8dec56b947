// Do not send a tensor to another type, another device or another copy of itself and back again.
//
// Question: A conversion to FP64 and back between two multiplications: how much longer does the chain take,
// and which detour costs most?
//
// A multiplication of each value by a number reads the tensor and writes it: its price is the way to memory
// and back. A conversion to FP64 and back reads and writes it twice more, at twice the width one way; a
// `.clone()` and a `.contiguous()` read and write it once more. None of them computes anything. Such steps
// gather where two pieces of code each wish for their own type or layout, "to be on the safe side". Over to
// the host and back is the same thing with the link in place of the device's memory, and two waits.
//
// When it does not matter: where the detour serves something: a sum that needs FP64, a kernel that is much
// slower on the strided form, a tensor that would otherwise be overwritten. With tiny tensors a detour costs
// launches instead of bytes.
//
// `chain` is the detour taken before each multiplication: `dtype` to FP64 and back, `clone`, `contiguous`,
// and `device` to the host and back. Each link first transposes the matrix, on both sides: `.contiguous()`
// of what is contiguous costs nothing, and the multiplication itself does not mind the order.
//
// All of it holds on the host as well, whose memory is slower still; only `device` has no meaning there. The
// figure counts LibTorch's copies in each side. A row times two links.
//
// Answer: By bytes, beside 8 for the multiplication of a FP32 value: FP64 and back add 24, a clone or a
// contiguous copy 8. The way to the host and back costs by far the most on a device: two transfers and two
// waits.

#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::transfer_ping_pong {

constexpr int links = 2;
enum Chain : std::int64_t { dtype, clone, contiguous, device };
constexpr std::int64_t sizes[] = {512, 2048};
constexpr Axis axes[] = {
    {.name = "n", .about = "rows and columns of the matrix", .values = sizes, .quick = {512}},
    {.name = "chain",
     .about = "the detour; dtype: FP64 and back; device: the host and back",
     .quick = {dtype, clone},
     .labels = {"dtype", "clone", "contiguous", "device"}}};

/// The same values by a way round.
at::Tensor detour(const at::Tensor& x, std::int64_t chain) {
  if (chain == dtype) return x.to(at::kDouble).to(at::kFloat);
  if (chain == clone) return x.clone();
  if (chain == contiguous) return x.contiguous();
  return x.cpu().to(x.device());
}

struct State {
  at::Tensor x, out;
};

bool takes(const Point& point, const Device& on) {
  return on.is_cuda() || (point["n"] == sizes[0] && point["chain"] != Chain::device);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const auto chain = point["chain"];
  const auto s = std::make_shared<State>();
  s->x = random_values({n, n}, setup.seed).to(torch_device(setup.device));

  const auto naive = [s, chain] {
    s->out = s->x;
    for (int i = 0; i < links; ++i) s->out = detour(s->out.t(), chain).mul(1.5);
  };
  const auto optimized = [s] {
    s->out = s->x;
    for (int i = 0; i < links; ++i) s->out = s->out.t().mul(1.5);
  };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->out = at::full_like(s->x, -1); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .figures = [naive, optimized, on = setup.device]() -> std::vector<Figure> {
        return {{"copies", "", static_cast<double>(count(on, naive).copies),
                 static_cast<double>(count(on, optimized).copies)}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/ping_pong",
    .claim = "A chain without redundant conversions, clones and moves to and fro is faster than with them.",
    .claim_ids = "xfer-ping-pong",
    .sides = {"there and back", "straight"},
    .source = go_brrrr("Bandwidth: what a memory-bound operator costs"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
});

}  // namespace microbench::transfer_ping_pong
