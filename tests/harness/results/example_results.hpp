// Results with a measured, a skipped and a failed row, and what their reader says of a changed file.
#pragma once

#include "harness/results/results.hpp"

#include <string>

namespace harness::results::examples {

inline Measurement two_rounds() {
  Measurement measured;
  measured.iterations = 400;
  measured.optimized_iterations = 800;
  measured.calibrations = {{"overlap/delay", 4096}};
  measured.timer = Timer::event;
  measured.bytes_moved = 4194304;
  measured.log_ratios = {-0.69, -0.7};
  measured.setup_seconds = {0.025, 0.026};
  measured.switches = {0, 3};
  for (int round = 0; round < 2; ++round)
    for (int quad = 0; quad < 2; ++quad)
      for (int slot = 0; slot < 4; ++slot) {
        const bool naive = slot == 0 || slot == 3;
        measured.samples.push_back({.round = round,
                                    .quad = quad,
                                    .slot = slot,
                                    .form = naive ? Form::naive : Form::optimized,
                                    .set = (slot + quad) % 2,
                                    .seconds = naive ? 350.125e-6 + 1e-6 * round : 175e-6,
                                    .cpu_seconds = 20e-6,
                                    .start = 0.02 * (8 * round + 4 * quad + slot)});
      }
  measured.figures = {{"error", "relative", 0.0, 1.5e-7}};
  return measured;
}

inline Row measured_row() {
  Row row;
  row.name = "transfer/pinned_h2d/bytes:4MiB";
  row.step = "transfer/pinned_h2d";
  row.at = {{"bytes", 4194304, "4MiB"}};
  row.device = {Device::Kind::cuda, 0};
  row.expected = Outcome::helps;
  row.published = "2.31 -> 5.77 GB/s";
  row.delta = 0.02;
  row.measured = two_rounds();
  row.judged.flags = {"only 2 of 14 rounds"};
  row.rounds = 2;
  row.judged.ratio = 0.5;
  row.judged.alpha_look = 0.01;
  row.judged.sd = 0.0074;
  row.judged.smallest_effect = 0.05;
  row.judged.hodges_lehmann = 0.5;
  row.naive_seconds = 350.625e-6;
  row.optimized_seconds = 175e-6;
  row.row_seconds = 1.5;
  return row;
}

inline Row unmeasured_row(const char* name, Verdict verdict, const char* stage, const char* reason) {
  Row row;
  row.name = row.step = name;
  row.delta = 0.03;
  row.judged.verdict = verdict;
  row.stage = stage;
  row.reason = reason;
  return row;
}

inline Results example() {
  Results results;
  results.session = {.id = "00000000-0000-4000-8000-000000000000",
                     .started = "2026-01-01T00:00:00+00:00",
                     .seed = 0xfedc'ba98'7654'3210u,
                     .data_seed = 1,
                     .suite = "quick",
                     .device = "cuda:0",
                     .threads = 8,
                     .looks = {14},
                     .alpha = 0.01,
                     .units = "fresh-process",
                     .pairs = 1,
                     .rows = {"transfer/pinned_h2d/bytes:4MiB", "sync/item", "sync/item_every_step"},
                     .options = {{"scale", "0.1"}},
                     .commit = "0123456789ab-dirty"};
  results.fingerprint.id = "sha256:00";
  results.fingerprint.hard = {{"machine", {{"cpu_model", "A CPU"}, {"gpu", nullptr}}},
                              {"software", {{"libtorch", "2.11.0"}, {"build_type", "Release"}}}};
  results.fingerprint.info = {{"host_name", "here"},
                              {"num_cpus", 16},
                              {"mhz_per_cpu", 2600.5},
                              {"cpu_scaling_enabled", false},
                              {"load_avg", {0.5}}};
  results.rounds = {
      {.round = 0,
       .start = 1.5,
       .seconds = 0.75,
       .workers = 1,
       .disturbance = {.involuntary_switches = 4,
                       .canary_seconds = {5.1e-3, 5.2e-3},
                       .gpu_canary_seconds = {1e-3, 1.1e-3},
                       .copy_canary_seconds = {0.7e-3, 0.7e-3},
                       .slowdowns = 4},
       .steal_seconds = 0.01},
      {.round = 1, .start = 2.5, .seconds = 0.5, .workers = 2, .disturbance = {}, .steal_seconds = 0}};
  results.rows = {measured_row(), unmeasured_row("sync/item", Verdict::skipped, "select", "no CUDA device"),
                  unmeasured_row("sync/item_every_step", Verdict::failed, "worker", "no result within 5m")};
  return results;
}

inline std::string message_of(const Json& json) {
  try {
    results_from_json(json, "r.json");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace harness::results::examples
