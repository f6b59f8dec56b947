// Read a value back once after the loop instead of in every iteration.
//
// Question: 50 iterations, each with one `.item()`: how much does leaving 49 of them out save on your GPU,
// and how much on your CPU, where nothing is queued?
//
// Work for the GPU is queued: the host runs ahead and the device need not wait for it. `.item()` asks for a
// number, so the host must wait until everything before it has finished, and the device then idles until the
// host has queued the next piece. The copy is four bytes and costs little; it is the empty queue that costs,
// once in each iteration. A loss that is printed, a check whether a tensor holds a NaN and a Python `if` on
// a tensor all cost the same, for they all read a number.
//
// When it does not matter: on the CPU, where nothing is queued and the number simply lies there. The call
// itself costs a fraction of a microsecond, which a shorter loop body would show. On a GPU that finishes each
// kernel before the host has queued the next one, the queue is empty anyway, and only the call is saved. On a
// GPU whose kernels take far longer than queueing them (`n`: 4096 x 4096 values instead of 128 x 128), the
// wait is a small share.
//
// 128 x 128 values are below the size from which LibTorch splits a product among the cores, so the CPU row
// measures the loop, not the load on other cores.
//
// Answer: On a GPU there are 49 waits and copies fewer: on the H200 here (commit 7400cad) 3.44 -> 2.81 ms at
// n = 128, 18 %. That is 12.9 us a reading. On the CPU the number is already there, so there is
// nothing to measure.

#include "microbench/tip.hpp"

namespace microbench::sync_item_every_step {

constexpr std::int64_t smallest = 128;
constexpr Axis axes[] = {{.name = "n",
                          .about = "rows and columns of the matrices in each iteration",
                          .values = {128, 1024, 4096},
                          .quick = {smallest}}};
constexpr int loop = 50;
constexpr int kernels = 6;  // between two readings

/// The matrix that is worked on, room for the products, and what the loop reads from them.
struct State {
  at::Tensor x, factor, y, mean;
  float seen = 0;
  void iterate() {
    at::mul_out(y, x, factor);
    for (int i = 1; i < kernels; ++i) y.mul_(factor);
    at::mean_out(mean, y, at::IntArrayRef{}, /*keepdim=*/false);
  }
};

bool takes(const Point& point, const Device& device) { return device.is_cuda() || point["n"] == smallest; }

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  const auto s = std::make_shared<State>();
  s->x = at::full({n, n}, 1.0F, options);
  s->y = at::empty_like(s->x);
  s->mean = at::zeros({}, options);
  s->factor = at::full({}, 1.5F, options);

  return {
      .naive =
          [s] {
            for (int i = 0; i < loop; ++i) {
              s->iterate();
              s->seen = s->mean.item<float>();
            }
          },
      .optimized =
          [s] {
            for (int i = 0; i < loop; ++i) s->iterate();
            s->seen = s->mean.item<float>();
          },
      .clear =
          [s] {
            s->mean.fill_(-1);
            s->seen = -1;
          },
      .answer = [s](Form) -> Answer { return std::vector<float>{s->seen}; },
  };
}

extern constexpr Step step = checked({
    .id = "sync/item_every_step",
    .claim =
        "Reading a value with .item() in every iteration keeps the host from running ahead of the device.",
    .claim_ids = "sync-item-micro",
    .sides = {"in every iteration", "once"},
    .source = tuning_guide("Avoid unnecessary CPU-GPU synchronization"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "n:128"},
    .suite = Suite::quick,
});

}  // namespace microbench::sync_item_every_step
