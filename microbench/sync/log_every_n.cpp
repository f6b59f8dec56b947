// Add up the loss on the device and read it every N steps instead of in each.
//
// Question: The loss is added up on the device and read every 10 steps, or every 100. Does the second save
// noticeably more than the first?
//
// A training loop that logs its loss needs a number on the host, and each reading empties the queue
// (sync/item_every_step). But a log wants means over some steps rather than every value. These can be added
// up where the values are: one more kernel in each step, over a single value, and one reading in N steps. The
// same holds for every metric that is a sum: hits, counts, norms.
//
// What it costs: the numbers come up to N steps late, and a loss that has become NaN is noticed that much
// later. When it does not matter: where a step takes the device far longer than the host needs to queue it
// (`n`), since the reading is then a small share; and on the CPU, where nothing is queued and an addition
// costs more than the reading.
//
// A row measures a hundred steps. Both sides log the same means, and neither prints them: what a line on a
// terminal or in a file costs is the same for both and not part of this tip. The sums are made in the same
// order and precision, and are compared bit for bit.
//
// Answer: Hardly: of 100 waits, reading every 10 steps leaves ten and reading every 100 leaves one. The
// first saves 90 of them, the second only nine more.

#include "microbench/sync/loop_body.hpp"
#include "microbench/tip.hpp"

namespace microbench::sync_log_every_n {

constexpr std::int64_t quick_sizes[] = {128};
constexpr Axis axes[] = {{.name = "n",
                          .about = "rows and columns of a step's matrices",
                          .values = {128, 1024, 4096},
                          .quick = quick_sizes},
                         {.name = "every", .about = "steps to a line of the log", .values = {10, 100}}};
constexpr int steps = 100;

struct State {
  State(std::int64_t n, at::Device device) : body(n, device), sum_on_device(at::zeros_like(body.mean)) {}
  void step(int i) { body.iterate(i % LoopBody::loop); }
  void log_mean(float total, int every) { log.push_back(total / static_cast<float>(every)); }
  LoopBody body;
  at::Tensor sum_on_device;
  std::vector<float> log;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["n"] == quick_sizes[0];
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const auto every = static_cast<int>(point["every"]);
  const auto s = std::make_shared<State>(n, torch_device(setup.device));

  return {
      .naive =
          [s, every] {
            s->log.clear();
            float sum = 0;
            for (int i = 0; i < steps; ++i) {
              s->step(i);
              sum += s->body.mean.item<float>();
              if ((i + 1) % every != 0) continue;
              s->log_mean(sum, every);
              sum = 0;
            }
          },
      .optimized =
          [s, every] {
            s->log.clear();
            s->sum_on_device.zero_();
            for (int i = 0; i < steps; ++i) {
              s->step(i);
              s->sum_on_device.add_(s->body.mean);
              if ((i + 1) % every != 0) continue;
              s->log_mean(s->sum_on_device.item<float>(), every);
              s->sum_on_device.zero_();
            }
          },
      .clear =
          [s] {
            s->body.mean.fill_(-1);
            s->log.clear();
          },
      .answer = [s](Form) -> Answer { return s->log; },
  };
}

extern constexpr Step step = checked({
    .id = "sync/log_every_n",
    .claim = "Adding the loss up on the device and reading it every N steps beats reading it in each.",
    .claim_ids = "sync-log-every-n",
    .sides = {"every step", "every N steps"},
    .source = tuning_guide("Avoid unnecessary CPU-GPU synchronization"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "n:128"},
});

}  // namespace microbench::sync_log_every_n
