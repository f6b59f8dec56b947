// Made-up rows of every kind, for the tests of the report.
#pragma once

#include "harness/results/row.hpp"

#include <string>
#include <vector>

namespace harness::example {

inline results::Row row(std::string step, const std::string& point) {
  results::Row row;
  row.name = point.empty() ? step : step + "/" + point;
  row.step = std::move(step);
  row.expected = Outcome::helps;
  row.published = "no figure";
  if (row.name.ends_with("device:cuda")) row.device = {Device::Kind::cuda, 0};
  return row;
}

struct Seconds {
  double naive;
  double optimized;
};

inline results::Row judged(results::Row row, Verdict verdict, Seconds seconds, Interval interval) {
  row.naive_seconds = seconds.naive;
  row.optimized_seconds = seconds.optimized;
  row.judged.verdict = verdict;
  row.judged.ratio = seconds.optimized / seconds.naive;
  row.judged.ratio_interval = interval;
  row.judged.smallest_effect = 0.0342;
  row.measured.log_ratios.assign(14, 0.0);
  row.rounds = 14;
  row.confirmed = verdict == Verdict::helps || verdict == Verdict::no_effect;
  return row;
}

inline results::Row unmeasured(results::Row row, Verdict verdict, std::string reason) {
  row.judged.verdict = verdict;
  row.reason = std::move(reason);
  return row;
}

inline results::Row pinned(const std::string& point) {
  auto made = row("transfer/pinned_h2d", point);
  made.published =
      "16 MB: 2.31 -> 5.77 GB/s (2.5x) on an NVS 4200M with an i7-2620M, 5.37 -> 6.19 GB/s (1.15x) on "
      "a GTX 680 with an i7-3930K";
  made.device = {Device::Kind::cuda, 0};
  return made;
}

/// Every verdict, long names, an interval that is missing, figures of two steps.
inline std::vector<results::Row> rows() {
  std::vector<results::Row> all;
  all.push_back(judged(pinned("bytes:64KiB"), Verdict::helps, {12.34e-6, 8.451e-6}, {0.68, 0.695}));
  all.push_back(judged(pinned("bytes:1MiB"), Verdict::no_effect, {164e-6, 163.6e-6}, {0.9902, 1.0049}));
  all.push_back(judged(pinned("bytes:16MiB"), Verdict::hurts, {2.31e-3, 12.02e-3}, {5.1, 5.4}));

  auto unsure = judged(row("sync/item_every_step", "n:256/device:cpu"), Verdict::inconclusive,
                       {999.7e-6, 1.02e-3}, {0.989, 1.06});
  unsure.judged.smallest_effect = 0.0712;
  unsure.judged.flags = {"too noisy"};
  all.push_back(unsure);
  auto few = judged(row("sync/item_every_step", "n:1024/device:cpu"), Verdict::inconclusive, {3.2, 2.1}, {});
  few.judged.ratio_interval.reset();
  few.judged.flags = {"only 3 of 14 rounds"};
  few.judged.too_few = true;
  few.measured.log_ratios.resize(3);
  few.rounds = 3;
  all.push_back(few);
  all.push_back(
      unmeasured(row("sync/item_every_step", "n:256/device:cuda"), Verdict::skipped, "no CUDA device"));

  auto workers = row("dataload/workers_slow_source", "as:processes/workers:4/batch:16/device:cpu");
  all.push_back(judged(workers, Verdict::helps, {0.128, 0.0331}, {0.255, 0.263}));
  all.push_back(
      unmeasured(workers, Verdict::failed,
                 "the sides disagree at number 17 of 4096: 0.5 and 0.25, 0.5 of the largest; the step "
                 "promises equal bits"));
  all.push_back(unmeasured(row("precision/tf32_matmul", ""), Verdict::skipped, "needs 1.5 GiB, 0.7 free"));

  auto indices =
      judged(row("stgym/device_indices", "device:cuda"), Verdict::helps, {20.94, 2.05}, {0.0971, 0.0985});
  indices.published = "20 -> 2 s/epoch (90 %)";
  indices.measured.figures = {{"epoch", "s", 20.94, 2.05},
                              {"HtoD", "calls/step", 302, 4},
                              {"HtoD bytes", "bytes", 317.5e6, 12288},
                              {"DtoH", "calls/step", 41, 41},
                              {"DtoH bytes", "bytes", 512, 512},
                              {"index bytes made on the host per step", "B", 317.5e6, 0},
                              {"synchronizations", "per step", 57, 45},
                              {"largest error", "relative", 0, 1.25e-7},
                              {"accuracy", "share", 0.4131, 0.4131}};
  all.push_back(indices);
  auto item = judged(row("stgym/no_item", "device:cuda"), Verdict::no_effect, {2.05, 2.05}, {0.996, 1.004});
  item.expected = Outcome::no_effect;
  item.published = "CPU 5.6 -> 5.6 s; CUDA 3.0 -> 3.0 s";
  item.measured.figures = {{"epoch", "s", 2.05, 2.05}, {"synchronizations", "per step", 45, 44}};
  all.push_back(item);
  return all;
}

}  // namespace harness::example
