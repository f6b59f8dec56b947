// Double the batch: if the time hardly grows, the device was waiting for the host.
//
// Question: Ten layers of 256: at which batch does doubling stop being free, and what was the machine waiting
// for below it?
//
// Twice the batch is twice the arithmetic and, beside the parameters, twice the bytes. A device that was busy
// with either needs twice the time. If the time grows by a tenth or less, something else filled it: the host,
// which needs the same time to start an operator whatever its size. Then smaller or faster kernels gain
// nothing, and fewer ones do (fused operators, CUDA graphs), as does the larger batch itself.
//
// When it misleads: a product with few rows reads its whole matrix of parameters for little arithmetic, so
// that twice the rows cost hardly more although the device is busy (with memory); and the device may have
// multiprocessors to spare for a second batch. A profile, which shows the gaps between kernels, tells these
// apart.
//
// A row times inference by ten layers of 256, at a batch and at twice that batch. The second side does twice
// the work: the row reads "slower", and by how much is the diagnosis. Ten percent is the published threshold
// for "overhead"; 100 % is a device at its limit.
//
// Answer: Where the sweep's growth passes 10 %, and toward 100 % above it. Below, the machine waited for the
// host, which starts ten operators whatever their size (or for the parameters' bytes, which the batch
// shares).

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

#include <c10/core/GradMode.h>

namespace microbench::roofline_batch_doubling {

constexpr std::int64_t largest_on_cpu = 256;
constexpr Axis axes[] = {{.name = "batch",
                          .about = "rows of the first form; the second has twice as many",
                          .values = {16, 256, 4096, 65536},
                          .quick = {16}}};
constexpr std::int64_t width = 256;
constexpr double deviation = 0.0884;  // sqrt(2 / width): with ReLU, keeps the values' size in each layer
constexpr int layers = 10;

struct State {
  State(const Setup& setup, std::int64_t batch) {
    const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
    const auto generator = generator_of(setup);
    for (int i = 0; i < layers; ++i) {
      weights.push_back(at::randn({width, width}, generator, options).mul_(deviation));
      biases.push_back(at::zeros({width}, options));
    }
    twice = at::randn({2 * batch, width}, generator, options);
    once = twice.narrow(0, 0, batch).clone();
    out = at::zeros_like(twice);
  }
  void infer(const at::Tensor& rows) {
    const c10::NoGradGuard no_grad;
    out = rows;
    for (std::size_t i = 0; i < weights.size(); ++i) out = at::relu(at::linear(out, weights[i], biases[i]));
  }
  std::vector<at::Tensor> weights, biases;
  at::Tensor once, twice, out;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["batch"] <= largest_on_cpu;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto batch = point["batch"];
  if (setup.device.is_cuda())
    require_device_memory(10 * static_cast<std::size_t>(batch * width) * sizeof(float));
  const auto s = std::make_shared<State>(setup, batch);

  return {
      .naive = [s] { s->infer(s->once); },
      .optimized = [s] { s->infer(s->twice); },
      .clear = [s] { s->out = at::full_like(s->twice, -1); },
      .answer = [s, batch](Form) { return numbers_of(s->out.narrow(0, 0, batch)); },
  };
}

extern constexpr Step step = checked({
    .id = "roofline/batch_doubling",
    .claim = "Twice the batch takes hardly longer where the host's overhead is the limit.",
    .claim_ids = "diag-batch-doubling",
    .sides = {"batch", "twice the batch"},
    .source = go_brrrr("Overhead"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends,
                    .published = "10 % longer: bound by overhead; in proportion: by the device"},
    .tolerance = {.relative = 1e-4, .why = "products of another size may sum in another order"},
});

}  // namespace microbench::roofline_batch_doubling
