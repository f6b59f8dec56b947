// A made-up workload whose costs are known: for tests of who searches, and of what is believed.
#pragma once

#include "tests/harness/core/noise.hpp"

#include "harness/core/slot_order.hpp"
#include "harness/tune/search.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace harness::example {

inline constexpr catalogue::Clash fake_clashes[] = {
    {"compiled", "yes", "format", "bf16", "the compiled step is in FP32"}};

inline std::vector<catalogue::Knob> fake_knobs(const catalogue::TuningPlace& /*place*/) {
  return {{.name = "batch",
           .about = "samples",
           .values = {"4", "8", "16", "32", "64"},
           .standard = "8",
           .advice = "64",
           .ordered = true,
           .changes_answer = true,
           .in_code = {"DataLoader(batch_size=4)", "", "DataLoader(batch_size=16)",
                       "DataLoader(batch_size=32)", "DataLoader(batch_size=64)"}},
          {.name = "compiled", .about = "", .values = {"no", "yes"}, .standard = "no", .advice = "yes"},
          {.name = "format", .about = "", .values = {"fp32", "bf16"}, .standard = "fp32"},
          {.name = "workers", .about = "", .values = {"0", "1", "2", "4"}, .standard = "0", .ordered = true},
          {.name = "threads", .about = "", .values = {"1", "2", "4"}, .standard = "4", .ordered = true},
          {.name = "channels", .about = "", .values = {"no", "yes"}, .standard = "no"}};
}

inline tune::Plan fake_plan(std::uint64_t seed = 1) {
  tune::Plan plan{.workload = {.workload = "fake",
                               .step = "fake/tuned",
                               .amount = 1024,
                               .unit = "samples",
                               .seconds = 4,
                               .knobs = fake_knobs,
                               .clashes = fake_clashes}};
  plan.knobs = fake_knobs({});
  plan.seed = seed;
  return plan;
}

/// The best of the 360 settings that there are.
inline const tune::Settings planted_best{{"batch", "32"},  {"compiled", "no"}, {"format", "bf16"},
                                         {"workers", "2"}, {"threads", "4"},   {"channels", "yes"}};

/// Seconds per sample without noise: each knob off its best costs a tenth or more.
inline double planted_cost(const tune::Settings& settings) {
  const auto distance = std::abs(std::log2(std::stod(settings.at("batch"))) - 5);
  double cost = 1e-3 * (1 + 0.15 * distance);
  if (settings.at("format") != "bf16") cost *= 1.2;
  cost *= 1 + 0.1 * std::abs(std::stod(settings.at("workers")) - 2);
  cost *= 1 + 0.2 * (2 - std::log2(std::stod(settings.at("threads"))));
  if (settings.at("channels") != "yes") cost *= 1.12;
  return settings.at("compiled") == "yes" ? 1.1 * cost : cost;
}
inline double equal_cost(const tune::Settings& /*settings*/) { return 1e-3; }

/// Trains in no time: the cost with noise of this share, and memory that grows with the batch.
inline tune::TrainSettings fake_training(std::function<double(const tune::Settings&)> cost, double noise,
                                         std::uint64_t seed) {
  return [=](const tune::Asked& asked, const auto& give_up) {
    Noise random(row_seed(seed, std::to_string(asked.number)));
    const auto seconds = cost(asked.settings) * std::exp(noise * random.normal());
    tune::Ended ended{{.number = asked.number,
                       .settings = asked.settings,
                       .state = tune::State::complete,
                       .answer = {.seconds_per_sample = seconds,
                                  .peak_bytes = 1e6 * std::stod(asked.settings.at("batch")),
                                  .loss = 2,
                                  .samples = 1024},
                       .seconds = 1}};
    for (int part = 1; part <= run::training_parts; ++part)
      if (give_up({part, seconds})) {
        ended.tried.state = tune::State::pruned;
        ended.tried.answer = {.seconds_per_sample = seconds};
        break;
      }
    return ended;
  };
}

/// Nobody looks on.
inline tune::Progress quiet() {
  return {.begun = [](const auto&, const auto&) {}, .ended = [](const auto&, const auto&) {}};
}
inline tune::Seconds no_time() { return tune::Seconds(0); }

/// A complete trial.
inline tune::Tried tried(int number, tune::Settings settings, double seconds, double bytes = 1e6,
                         double loss = 2) {
  return {.number = number,
          .settings = std::move(settings),
          .state = tune::State::complete,
          .answer = {.seconds_per_sample = seconds, .peak_bytes = bytes, .loss = loss, .samples = 1024},
          .seconds = 1};
}

/// The standard settings with these changes.
inline tune::Settings with(const tune::Plan& plan, const tune::Settings& changes) {
  auto settings = changes;
  settings.merge(tune::standard_of(plan));
  return settings;
}

}  // namespace harness::example
