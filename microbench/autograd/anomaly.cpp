// Anomaly detection off, except while a NaN is being hunted.
//
// Question: Which part of anomaly detection costs more in C++, the backtraces or the search for NaN? And does
// the case study's "no difference" hold here?
//
// With it on, each node of autograd's graph notes where in the program it was made, which in C++ is a
// backtrace of the whole call stack with its names looked up, and in Python a traceback. With check_nan,
// each gradient in the backward pass is searched for NaN as well: an operator over all of it, whose answer
// the host waits for, so that on a GPU the queue runs empty at every node.
//
// What it costs therefore depends on how many operators a step has and how long each is. A training loop
// that waits for its copies hides it: a published case study switched it off without seeing a difference.
// When it does not matter: where it is off, which is the default. A library may have switched it on, or a
// debug branch that stayed in the code.
//
// The first side has it on, with or without the search, the second side off. A run is a forward and a
// backward pass of `layers` layers, 64 wide, over 64 rows.
//
// Answer: Without the search each node still makes a backtrace on the host; with it each gradient is read
// once more and, on a GPU, waited for. In C++ the backtrace with its names costs most for small gradients,
// the search for large ones. "No difference" holds only where the loop waits in every step anyway.

#include "microbench/autograd/autograd_layers.hpp"
#include "microbench/tip.hpp"

#include <torch/csrc/autograd/anomaly_mode.h>

namespace microbench::autograd_anomaly {

using torch::autograd::AnomalyMode;

constexpr std::int64_t depths[] = {2, 8};
constexpr Axis axes[] = {{.name = "layers", .about = "a product and a nonlinearity each", .values = depths},
                         {.name = "check_nan",
                          .about = "whether the naive form searches the gradients for NaN",
                          .labels = {"no", "yes"}}};

/// The mode is one for the process: set here, put back here.
class Anomaly {
 public:
  Anomaly(bool on, bool check_nan) : on_(AnomalyMode::is_enabled()), check_(AnomalyMode::should_check_nan()) {
    AnomalyMode::set_enabled(on, check_nan);
  }
  Anomaly(const Anomaly&) = delete;
  Anomaly& operator=(const Anomaly&) = delete;
  ~Anomaly() { AnomalyMode::set_enabled(on_, check_); }

 private:
  bool on_;
  bool check_;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["layers"] == depths[0];
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<Layers>(setup, point["layers"], /*width=*/64, /*batch=*/64);
  const bool check_nan = point["check_nan"] == 1;
  return {
      .naive =
          [s, check_nan] {
            const Anomaly detection(true, check_nan);
            s->train();
          },
      .optimized =
          [s] {
            const Anomaly detection(false, false);
            s->train();
          },
      .clear = [s] { s->clear(); },
      .answer = [s](Form) { return s->answer(); },
  };
}

extern constexpr Step step = checked({
    .id = "autograd/anomaly",
    .claim = "Switching anomaly detection off makes training faster.",
    .claim_ids = "grad-anomaly",
    .sides = {"on", "off"},
    .source = tuning_guide("Disable debugging APIs"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure; the STGym case study saw no significant improvement",
                    .on_cpu = Outcome::helps},
    .tolerance = {.relative = 1e-5, .why = "the library may choose its kernel by the alignment of addresses"},
    .row_seconds = 8,
});

}  // namespace microbench::autograd_anomaly
