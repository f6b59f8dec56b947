// Let the optimizer skip an overflowed step by itself, so that the host need not ask whether it did.
//
// Question: What share of eight steps of Adam is reading one overflow flag back in each?
//
// With a scaled loss, a step whose gradients overflowed must be left out. Only the device knows whether they
// did. The usual scaler reads that number back. These are four bytes, but the host waits until everything
// before them has run, and the device then idles until the host has queued the next step. No CUDA graph can
// hold such a step. A fused optimizer takes the scale and the flag as tensors instead: its kernel divides the
// gradients and does nothing where the flag is set, and the host runs ahead.
//
// When it does not matter: where the device has so much work in each step (`parameters:512`) that one wait is
// lost in it; with BF16, whose gradients need no scaling at all. When it hurts: on the CPU, where nothing is
// queued and asking is cheap, while the kernel that divides has more to do (12 % on two cores of an EPYC,
// commit 03cee4c).
//
// A row times eight steps of Adam with the same fused kernel, on gradients that are copied again before each
// step. Each side looks through all gradients once; the first divides them in the same go.
//
// Answer: One wait for each step: most of the time where Adam's kernels are short, for then the device idles
// until the host has queued the next step; little at `parameters:512`, whose kernels take longer than that.

#include "microbench/precision/grad_scaler.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::precision_sync_gradscaler {

constexpr std::int64_t most_on_cpu = 128;
constexpr Axis axes[] = {{.name = "parameters",
                          .about = "tensors of 4096 values that the optimizer steps",
                          .values = {16, 128, 512},
                          .quick = {16}}};
constexpr std::int64_t values_each = 4096;
constexpr int steps_each_run = 8;

struct State {
  State(const Setup& setup, std::int64_t count) : scaler(torch_device(setup.device)) {
    const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
    const auto generator = generator_of(setup);
    one = at::ones({}, options);
    for (std::int64_t i = 0; i < count; ++i) {
      scaled.push_back(at::randn({values_each}, generator, options).mul_(65536));
      for (auto* list : {&parameters, &gradients, &means, &squares})
        list->push_back(at::zeros({values_each}, options));
      steps.push_back(at::zeros({}, options));
    }
  }
  void start_again() {
    for (const auto* list : {&parameters, &means, &squares, &steps}) at::_foreach_zero_(*list);
    scaler.start_again();
  }
  /// `counted`: what the step adds to the parameters' counts of steps.
  void adam(const at::Tensor& counted, const std::optional<at::Tensor>& scale,
            const std::optional<at::Tensor>& skip) const {
    at::_foreach_add_(steps, counted);
    at::_fused_adam_(parameters, gradients, means, squares, at::TensorList(), steps, /*lr=*/1e-3, 0.9, 0.999,
                     /*weight_decay=*/0.0, /*eps=*/1e-8, /*amsgrad=*/false, /*maximize=*/false, scale, skip);
  }
  GradScaler scaler;
  at::Tensor one;
  std::vector<at::Tensor> scaled, gradients, parameters, means, squares, steps;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["parameters"]);

  return {
      .naive =
          [s] {
            for (int i = 0; i < steps_each_run; ++i) {
              at::_foreach_copy_(s->gradients, s->scaled);
              s->scaler.unscale(s->gradients);
              if (!s->scaler.overflowed()) s->adam(s->one, {}, {});
              s->scaler.update();
            }
          },
      .optimized =
          [s] {
            for (int i = 0; i < steps_each_run; ++i) {
              at::_foreach_copy_(s->gradients, s->scaled);
              s->scaler.inspect(s->gradients);
              s->adam(s->one - s->scaler.found(), s->scaler.factor(), s->scaler.found());
              s->scaler.update();
            }
          },
      .clear = [s] { s->start_again(); },
      .answer = [s](Form) { return numbers_of(at::cat(s->parameters)); },
      .before_slot = [s](Form) { s->start_again(); },
  };
}

extern constexpr Step step = checked({
    .id = "precision/sync_gradscaler",
    .claim = "A scaler that reads its overflow flag back holds the host up in every step.",
    .claim_ids = "sync-gradscaler",
    .sides = {"host asks", "device decides"},
    .source = cuda_semantics("CUDA Graphs, Usage with torch.cuda.amp"),
    .axes = axes,
    .takes = [](const Point& p, const Device& on) { return on.is_cuda() || p["parameters"] <= most_on_cpu; },
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .except = "parameters:512"},
    .tolerance = {.relative = 1e-5, .why = "the quotient by the scale may be rounded at another place"},
});

}  // namespace microbench::precision_sync_gradscaler
