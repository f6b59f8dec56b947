// Memory-bound operators run faster on 16-bit values, too.
//
// Question: ReLU on FP16 moves half the bytes. Is it twice as fast on the device, and on your CPU?
//
// Adding, multiplying and ReLU do one operation on a value and then write it back: the device waits for
// memory. FP16 and BF16 are two bytes instead of four, so the same values take half the time; no tensor core
// is involved. Autocast does not do this: such operators work in the type that they get.
//
// When it does not matter: for small tensors, where starting the kernels is the price. While tensors fit into
// the device's L2 cache (the smallest point on most devices) it is the cache's bandwidth that is halved. A
// CPU has mostly no arithmetic in these formats: it converts to FP32 and back, which costs as much as is
// gained in caches.
//
// A row times a chain of three operators, out = relu(1.5 x + 0.5), each of which reads and writes all values.
//
// Answer: On the device nearly, for tensors larger than its cache: the operator waits for bytes, and half of
// them are left. On a CPU converting to FP32 and back costs time, and what counts is whether memory takes
// longer: on two cores of an EPYC BF16 took 119 % longer at 1,048,576 values and 23 % less at 16,777,216
// (commit 03cee4c).

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::precision_amp_membound {

constexpr std::int64_t largest_on_cpu = 1 << 24;
constexpr Axis axes[] = {
    {.name = "values", .about = "in the tensor", .values = {1 << 20, 1 << 24, 1 << 26}, .quick = {1 << 20}},
    {.name = "type",
     .about = "the short format: bf16 with FP32's range, fp16 with more digits",
     .quick = {0},
     .labels = {"bf16", "fp16"}},
};

/// out = relu(1.5 in + 0.5), in the tensors' own type. The factor lies with the host: one on the device would
/// be an operand with strides of its own, for which LibTorch loads the values one by one.
struct Chain {
  Chain(const at::Tensor& values, at::ScalarType type)
      : in(values.to(type)),
        out(at::empty_like(in)),
        factor(at::full({}, 1.5, in.options().device(at::kCPU))) {}
  void run() {
    at::mul_out(out, in, factor);
    out.add_(0.5);
    out.relu_();
  }
  at::Tensor in, out, factor;
};

struct State {
  State(const at::Tensor& values, at::ScalarType type) : fp32(values, at::kFloat), half(values, type) {}
  Chain fp32, half;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || (point["values"] <= largest_on_cpu && point["type"] == 0);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["values"];
  const bool fp16 = point["type"] == 1;
  if (setup.device.is_cuda()) require_device_memory(static_cast<std::size_t>(n) * 3 * sizeof(float));
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  const auto s =
      std::make_shared<State>(at::randn({n}, generator_of(setup), options), fp16 ? at::kHalf : at::kBFloat16);

  return {
      .naive = [s] { s->fp32.run(); },
      .optimized = [s] { s->half.run(); },
      .clear =
          [s] {
            s->fp32.out.fill_(-1);
            s->half.out.fill_(-1);
          },
      .answer =
          [s, n](Form form) {
            constexpr std::int64_t stride = 61;  // shares no factor with a block of threads
            return numbers_of((form == Form::naive ? s->fp32 : s->half).out.slice(0, 0, n, stride));
          },
      .figures = [n]() -> std::vector<Figure> {
        const auto mebibytes = 3 * 2 * static_cast<double>(n) / (1 << 20);
        return {{"read and written", "MiB", 4 * mebibytes, 2 * mebibytes}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "precision/amp_membound",
    .claim = "Pointwise operators, bound by memory, are faster on FP16 or BF16 than on FP32.",
    .claim_ids = "prec-amp-membound",
    .sides = {"FP32", "16 bits"},
    .source = {.title = "What Every User Should Know About Mixed Precision Training in PyTorch",
               .url = "https://pytorch.org/blog/"
                      "what-every-user-should-know-about-mixed-precision-training-in-pytorch/",
               .where = "introduction"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "bandwidth-bound kernels can be twice as fast",
                    .except = "values:1048576"},
    .tolerance = {.relative = 2e-2, .why = "BF16 keeps 8 significant bits, and the chain rounds four times"},
});

}  // namespace microbench::precision_amp_membound
