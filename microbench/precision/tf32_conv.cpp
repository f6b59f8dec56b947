// FP32 convolutions run in TF32 by default: what that gains, and what it costs.
//
// Question: TF32 is the default of convolutions. Which of four shapes gains most from it, and how much larger
// is the error?
//
// On devices since Ampere, cuDNN computes FP32 convolutions on the tensor cores, which read each factor as
// TF32: the range of FP32 with 11 significant bits instead of 24. LibTorch's switch for it is separate from
// that of matrix products, and its default is "TF32". The switch of all operators, Python's
// `torch.backends.fp32_precision = "ieee"`, reaches convolutions since PyTorch 2.13; up to 2.12 they keep
// TF32 until their own switch says otherwise. So if you compare convolutions on two devices, or with a
// reference, you may compare two roundings without knowing.
//
// When it does not matter: for devices before Ampere, and on GeForce cards and the A10G, whose tensor cores
// have FP32's rate in TF32 by their data sheets: there it may gain little or nothing; where convolutions are
// a small part of the time; for small images and batches, where starting the kernel is the price. Where
// results must agree with another computation to more than three digits, switch it off.
//
// A row times one 3 x 3 convolution of 64 images. Each side says which precision it wants, since the default
// is the fast one. The errors of both against FP64 stand beside the times.
//
// Answer: Shapes with many channels, which are arithmetic; those with large images and few channels wait for
// memory. Each factor keeps 11 significant bits instead of 24, about three digits; the figures beside the
// times give both errors.

#include "microbench/format/convolution_steps.hpp"
#include "microbench/format/one_conv.hpp"
#include "microbench/precision/judged_product.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::precision_tf32_conv {

constexpr Axis axes[] = {conv_shape_axis()};

/// Of the first image.
double error(const OneConv& s) {
  const auto exact = convolve(s.x.narrow(0, 0, 1).to(at::kDouble), s.weight.to(at::kDouble), {});
  return largest_error(s.out.narrow(0, 0, 1), exact);
}

Trial prepare(Setup& setup, const Point& point) {
  require_capability(setup.device, 8, "TF32");
  require_device_memory(std::size_t{1} << 29);
  const auto s = std::make_shared<OneConv>(setup, conv_shapes[point["shape"]], at::kFloat);

  const auto naive = [s] {
    const ConvPrecision set(at::Float32Precision::IEEE);
    s->run();
  };
  const auto optimized = [s] {
    const ConvPrecision set(at::Float32Precision::TF32);
    s->run();
  };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->clear(); },
      .answer = [s](Form) { return s->answer(); },
      .figures = [s, naive, optimized]() -> std::vector<Figure> {
        return {error_figure(naive, optimized, [&] { return error(*s); })};
      },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "precision/tf32_conv",
    .claim = "TF32, cuDNN's default, makes FP32 convolutions faster at a larger error.",
    .claim_ids = "prec-tf32-conv",
    .sides = {"FP32", "TF32"},
    .source = tf32_notes,
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = {.relative = 4e-3,
                  .why = "TF32 drops bits below 2^-10 of each factor: up to 2^-9 of each product"},
    .delta = 0.02,
});

}  // namespace microbench::precision_tf32_conv
