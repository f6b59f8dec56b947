// Keep debugging interfaces that watch every operator out of real runs.
//
// Question: Does an observer that does nothing (`observer:idle`) cost anything at n = 16?
//
// LibTorch supports observers: it calls a function before and after each operator. The profiler is one, and
// so is emit_nvtx. Without one, an operator tests a flag. With one, each operator pays for two calls on the
// host.
//
// When it does not matter: where operators are long (`n:1048576`); idle, on a GPU, where a launch hides it.
//
// First the operators are watched, then not. `observer` says what the observer does: nothing at all; a range
// for a tool that is not there, as emit_nvtx opens it; a name and two times, the least that a profiler notes.
// A run is 200 additions.
//
// Answer: Yes, at n = 16: it does nothing, but it is called before and after each operator, and an operator
// of 16 values takes little longer than these two calls. On a GPU the launch hides an idle observer.

#include "harness/cuda/nvtx.hpp"

#include "microbench/tip.hpp"

#include <ATen/record_function.h>

#include <chrono>

namespace microbench::autograd_debug_apis {

constexpr std::int64_t sizes[] = {16, 1 << 20};
constexpr Axis axes[] = {
    {.name = "n", .about = "values of the tensors", .values = sizes},
    {.name = "observer",
     .about = "idle: two empty calls; nvtx: a range without a tool; times: name, start and end",
     .labels = {"idle", "nvtx", "times"}}};
constexpr int additions = 200;

using Noted = std::unique_ptr<at::ObserverContext>;
struct RangeNote : at::ObserverContext {
  explicit RangeNote(const char* name) : range(name) {}
  NvtxRange range;
};
struct TimeNote : at::ObserverContext {
  explicit TimeNote(const char* of) : name(of) {}
  std::string name;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point end = start;
};

void look_away(const at::RecordFunction&, at::ObserverContext*) {}
void note_end(const at::RecordFunction&, at::ObserverContext* note) {
  static_cast<TimeNote*>(note)->end = std::chrono::steady_clock::now();
}

at::RecordFunctionCallback observer(std::int64_t which) {
  using At = const at::RecordFunction&;
  if (which == 0) return at::RecordFunctionCallback([](At) -> Noted { return nullptr; }, look_away);
  if (which == 1)
    return at::RecordFunctionCallback([](At f) -> Noted { return std::make_unique<RangeNote>(f.name()); },
                                      look_away);
  return at::RecordFunctionCallback([](At f) -> Noted { return std::make_unique<TimeNote>(f.name()); },
                                    note_end);
}

struct State {
  at::Tensor start, out;
  void work() {
    auto x = start;
    for (int i = 0; i < additions; ++i) x = at::add(x, start);
    out = x;
  }
};

bool takes(const Point& point, const Device& device) { return device.is_cuda() || point["n"] == sizes[0]; }

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>();
  s->start = at::arange(point["n"], at::kFloat).remainder_(17).to(torch_device(setup.device));
  return {
      .naive =
          [s, callback = observer(point["observer"])] {
            const auto watching = at::addThreadLocalCallback(callback);
            s->work();
            at::removeCallback(watching);
          },
      .optimized = [s] { s->work(); },
      .clear = [s] { s->out = at::full_like(s->start, -1); },
      .answer = [s](Form) { return numbers_of(s->out); },
  };
}

extern constexpr Step step = checked({
    .id = "autograd/debug_apis",
    .claim = "A loop of small operators is faster without observers of operators (profiler, emit_nvtx).",
    .claim_ids = "grad-debug-apis",
    .sides = {"watched", "not watched"},
    .source = tuning_guide("Disable debugging APIs"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure",
                    .on_cpu = Outcome::helps,
                    .about = "n:16",
                    .except = "observer:idle/device:cuda"},
});

}  // namespace microbench::autograd_debug_apis
