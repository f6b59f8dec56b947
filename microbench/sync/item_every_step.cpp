// Read a value back once after the loop instead of in every iteration.
//
// Work for the GPU is queued: the host runs ahead and the device never waits for it. `.item()` asks for a
// number, so the host must wait until everything before it has finished, and the device then idles until the
// host has queued the next piece. The copy is four bytes; the price is the queue that ran empty.
//
// When it does not matter: on the CPU, where nothing is queued; on a GPU whose kernels are so long that the
// host catches up before they end.

#include "harness/torch/answer.hpp"

#include "microbench/steps.hpp"

#include <ATen/ATen.h>

#include <memory>

namespace microbench {
namespace {

using namespace harness;

constexpr std::int64_t sizes[] = {256, 1024};
constexpr std::int64_t quick_sizes[] = {256};
constexpr Axis axes[] = {{.name = "n", .values = sizes, .quick = quick_sizes}};
constexpr int loop = 50;

/// The matrix that is worked on, and what the loop reads from it.
struct State {
  at::Tensor x;
  at::Tensor sum;
  float seen = 0;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  const auto s = std::make_shared<State>(State{at::full({n, n}, 1.0F, options), at::zeros({}, options)});

  return {
      .naive =
          [s] {
            for (int i = 0; i < loop; ++i) {
              s->sum = (s->x * 1.5F).mean();
              s->seen = s->sum.item<float>();
            }
          },
      .optimized =
          [s] {
            for (int i = 0; i < loop; ++i) s->sum = (s->x * 1.5F).mean();
            s->seen = s->sum.item<float>();
          },
      .clear = [s] { s->seen = -1; },
      .answer = [s](Form) -> Answer { return std::vector<float>{s->seen}; },
  };
}

}  // namespace

constexpr Step sync_item_every_step{
    .id = "sync/item_every_step",
    .claim =
        "Reading a value with .item() in every iteration keeps the host from running ahead of the device.",
    .claim_ids = "sync-item-micro",
    .source = {.title = "PyTorch Performance Tuning Guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "Avoid unnecessary CPU-GPU synchronization"},
    .runs = Runs::each,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
};
static_assert(well_formed(sync_item_every_step));

}  // namespace microbench
