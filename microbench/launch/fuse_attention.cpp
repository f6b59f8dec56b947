// Use LibTorch's fused attention instead of two products with a softmax between them.
//
// Question: How large are the peaks of memory of 8 heads at 2048 positions, scores written out or not?
//
// Attention compares each of n positions with each other: scores of n x n values for every head, scaled, sent
// through a softmax and multiplied with the values. Written out, each of these steps writes the n x n scores
// to memory and reads them back. Fused kernels (flash, memory-efficient) go through the scores in tiles that
// fit into the chip's own memory and correct the softmax as they go. Traffic is saved and, above all, memory:
// it grows with n and no longer with n squared.
//
// When it does not matter: for short sequences; in models whose time lies elsewhere. On a GPU flash attention
// and cuDNN's take 16-bit types only, and float goes to the memory-efficient kernel; on a CPU flash attention
// takes float as well. Where none fits LibTorch silently takes the steps one by one. For floats the products
// decide, and the gain may be lost in them.
//
// A row has 8 heads of 64 values; both peaks and the kernel's name beside it. None fused: it is skipped.
//
// Answer: Written out, one copy of the scores has 8 x 2048 x 2048 values, 64 MiB in BF16, and scale, softmax
// and gradient keep more than one. Fused, the scores never exist as a whole: the peak is inputs and output,
// 2 MiB each in BF16.

#include "harness/libtorch/work_counts.hpp"

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

#include <cmath>
#include <iterator>

namespace microbench::launch_fuse_attention {

constexpr Axis axes[] = {
    {.name = "positions",
     .about = "length of the sequence",
     .values = {128, 512, 2048, 8192},
     .quick = {128}},
    {.name = "dtype",
     .about = "float: memory-efficient kernel on a GPU; bfloat16: flash kernel, or cuDNN's",
     .quick = {0},
     .labels = {"float", "bfloat16"}}};
constexpr std::int64_t heads = 8;
constexpr std::int64_t width = 64;  // of a head

struct State {
  at::Tensor q, k, v, out;
  void composed() {
    const auto scores = at::matmul(q * (1 / std::sqrt(static_cast<double>(width))), k.transpose(-2, -1));
    out = at::matmul(at::softmax(scores, -1), v);
  }
  void fused() { out = at::scaled_dot_product_attention(q, k, v); }
};

/// The name of LibTorch's choice (an at::SDPBackend); Skip where it would take the steps one by one.
std::string kernel_name(std::int64_t choice) {
  constexpr const char* names[] = {"", "flash attention", "memory-efficient attention", "cuDNN's attention"};
  if (choice > 0 && choice < std::ssize(names)) return names[choice];
  throw Skip("LibTorch has no fused attention for this type on this device");
}

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || (point["positions"] <= 512 && point["dtype"] == 0);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["positions"];
  if (setup.device.is_cuda())
    require_device_memory(4 * sizeof(float) * static_cast<std::size_t>(heads * n * n));
  const auto all =
      normal_values(setup, {3, 1, heads, n, width}).to(point["dtype"] == 1 ? at::kBFloat16 : at::kFloat);
  const auto s = std::make_shared<State>(State{all[0], all[1], all[2], {}});
  const auto kernel = kernel_name(at::_fused_sdp_choice(s->q, s->k, s->v));
  const auto naive = [s] { s->composed(); };
  const auto optimized = [s] { s->fused(); };
  const auto peak = [s](const std::function<void()>& run) {
    s->out.reset();
    return peak_bytes(run) / (1 << 20);
  };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->out = at::zeros_like(s->q); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .figures = [naive, optimized, peak, kernel]() -> std::vector<Figure> {
        const auto of_naive = peak(naive);
        return {{"peak memory", "MiB", of_naive, peak(optimized)}, {kernel, "", 0, 1}};
      },
      .timer = device_timer(setup.device),
  };
}

extern constexpr Step step = checked({
    .id = "launch/fuse_attention",
    .claim = "Fused attention is faster than two matrix products with a softmax between them.",
    .claim_ids = "fuse-attention",
    .sides = {"two products", "fused"},
    .source = {.title = "PyTorch, torch.nn.functional.scaled_dot_product_attention",
               .url = "https://docs.pytorch.org/docs/stable/generated/"
                      "torch.nn.functional.scaled_dot_product_attention.html",
               .where = "the three implementations"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure",
                    .about = "positions:2048/dtype:bfloat16"},
    .tolerance = {.relative = 1e-4, .why = "sums over the positions are added up in another order"},
    .cuda_tolerance = {.relative = 2e-2, .why = "bfloat16 has 8 bits; the scores are rounded to it or not"},
});

}  // namespace microbench::launch_fuse_attention
