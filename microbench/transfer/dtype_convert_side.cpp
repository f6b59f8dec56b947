// Which side converts when a copy to the device also changes the type: `non_blocking` decides it.
//
// Question: A copy turns FP32 into FP16, another bytes into FP32. For which of the two should the host
// convert, and what has non_blocking to do with it?
//
// A copy moves bytes and cannot convert. LibTorch therefore first makes a copy of the tensor in the other
// type. For a blocking copy the processor makes it, so as to take no extra memory of the device; otherwise
// the device does. What looks like a question of waiting is one of where the work is done and of how many
// bytes cross the link: FP32 to FP16 halves them if the host converts, bytes to FP32 are four times as many.
//
// When it helps and when it hurts depends on the types and on the machine. Growing types (`byte_to_fp32`)
// want the device to convert: few bytes on the link, and a conversion at the speed of device memory.
// Shrinking ones (`fp32_to_fp16`) set half the bytes against the time that the processor takes to convert.
// The source says what happens, not which is faster. Where it matters, say it in two steps: `.to(type)` and
// `.to(device)`.
//
// Either way needs memory for the tensor in between: on the host in its new type, on the device in its old
// one. The figures show how much, beside what crosses the link. What the host converts is sent from ordinary
// memory, wherever the source lies: with `memory:pinned` only the device's way keeps the pinned copy. Both
// sides end in the same tensor, made before; they round alike. A time ends when the device has finished.
//
// Answer: Growing types (bytes to FP32) on the device: a quarter of the bytes crosses the link. For
// shrinking types (FP32 to FP16) the host halves the bytes but must convert, so it depends on how fast it
// does. LibTorch converts on the host if the copy blocks and on the device if it is non_blocking.

#include "harness/libtorch/work_counts.hpp"

#include "microbench/host_time.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::transfer_dtype_convert_side {

enum Types : std::int64_t { fp32_to_fp16, byte_to_fp32 };
constexpr Axis axes[] = {
    {.name = "n", .about = "values", .values = {1 << 18, 1 << 23}, .quick = {1 << 23}},
    {.name = "types", .about = "on the host and on the device", .labels = {"fp32_to_fp16", "byte_to_fp32"}},
    host_memory_axis};

struct State {
  at::Tensor source, target;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const bool shrink = point["types"] == fp32_to_fp16;
  require_device_memory(static_cast<std::size_t>(n) * 2 * sizeof(float));
  const auto s = std::make_shared<State>();
  s->source = random_values({n}, setup.seed).mul(255).to(shrink ? at::kFloat : at::kByte);
  if (point["memory"] != 0) s->source = s->source.pin_memory();
  const auto on_device = at::TensorOptions().device(torch_device(setup.device));
  s->target = at::zeros({n}, on_device.dtype(shrink ? at::kHalf : at::kFloat));

  const auto naive = [s] { s->target.copy_(s->source, /*non_blocking=*/false); };
  const auto optimized = [s] { s->target.copy_(s->source, /*non_blocking=*/true); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->target.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->target); },
      .figures = [naive, optimized, device = setup.device]() -> std::vector<Figure> {
        constexpr double mebi = 1 << 20;
        return {sent_to_device(device, naive, optimized),
                host_kept(naive, optimized),
                {"peak memory", "MiB", peak_bytes(naive) / mebi, peak_bytes(optimized) / mebi}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/dtype_convert_side",
    .claim =
        "With non_blocking a converting copy converts on the device instead of the host; which is faster "
        "depends on the types.",
    .claim_ids = "xfer-dtype-convert-side",
    .sides = {"on the host", "on the device"},
    .source = {.title = "PyTorch, aten/src/ATen/native/cuda/Copy.cu",
               .url = "https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/Copy.cu",
               .where = "copy_kernel_cuda, conversion_device"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
});

}  // namespace microbench::transfer_dtype_convert_side
