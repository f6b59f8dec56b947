// Write scalars down every N steps instead of in each step.
//
// Question: A loop logs its loss in each of 100 steps. The line has 20 bytes: what does it cost, and which
// part of that is not the writing?
//
// A scalar on its way to a log is read from the device first, which waits for all that was queued, then made
// into text, written, and flushed so that somebody who follows the log sees it. The reading keeps the host
// from running ahead; the flush is a call into the system. Kept as tensors, fifty losses are read by one copy
// and written by one call, and the log says the same.
//
// When it does not matter: where steps take far longer than a copy and a call. On the CPU there is no device
// to wait for, and what remains is the writing. What it costs: the log lags behind by N steps, and what was
// not yet written is lost with the process.
//
// A row measures 100 steps of a small training. The first side writes each loss after its step; the second
// keeps them and writes every 50 steps. The file is the same to the byte.
//
// Answer: On a device the reading, not the writing: each step waits for everything queued before it, and the
// device then idles. The flush is a call of a microsecond or two. On the CPU only that call is left.

#include "microbench/loop/output_file.hpp"
#include "microbench/loop/small_training.hpp"
#include "microbench/tip.hpp"

#include <fmt/format.h>

namespace microbench::loop_scalars_every_step {

constexpr std::int64_t smallest = 64;
constexpr Axis axes[] = {
    {.name = "width", .about = "of the layers", .values = {smallest, 512}, .quick = {smallest}}};
constexpr int steps = 100;
constexpr int every = 50;

struct State {
  State(const Setup& setup, std::int64_t width) : training(setup, width) {}

  void write(int step, float loss) const { log.write(fmt::format("{},{:.6f}\n", step, loss)); }
  void write_at_once(int first, const std::vector<at::Tensor>& losses) const {
    const auto all = at::stack(losses).cpu();
    const auto* loss = all.const_data_ptr<float>();
    std::string text;
    for (std::size_t i = 0; i < losses.size(); ++i)
      text += fmt::format("{},{:.6f}\n", first + static_cast<int>(i), loss[i]);
    log.write(text);
  }
  void begin() {
    log.empty();
    training.restart();
  }

  SmallTraining training;
  OutputFile log;
};

void log_each(State& s) {
  s.begin();
  for (int i = 0; i < steps; ++i) s.write(i, s.training.step().item<float>());
}

void log_every(State& s) {
  s.begin();
  std::vector<at::Tensor> losses;
  for (int i = 0; i < steps; ++i) {
    losses.push_back(s.training.step());
    if (losses.size() < every) continue;
    s.write_at_once(i + 1 - every, losses);
    losses.clear();
  }
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["width"]);
  return {
      .naive = [s] { log_each(*s); },
      .optimized = [s] { log_every(*s); },
      .clear = [s] { s->log.empty(); },
      .answer = [s](Form) -> Answer { return s->log.bytes(); },
  };
}

constexpr RowCost costs[] = {{"width:512", 35}};

extern constexpr Step step = checked({
    .id = "loop/scalars_every_step",
    .claim = "Scalars that are kept and written every 50 steps shorten a loop that wrote them in each.",
    .sides = {"every step", "every 50 steps"},
    .source = {.title = "PyTorch Lightning, Logging",
               .url = "https://lightning.ai/docs/pytorch/stable/extensions/logging.html",
               .where = "Logging frequency: log_every_n_steps, 50 by default"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "width:64"},
    .other_costs = costs,
});

}  // namespace microbench::loop_scalars_every_step
