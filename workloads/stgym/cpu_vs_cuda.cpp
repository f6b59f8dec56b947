// The comparison that started the story: the same training on the CPU and on the GPU of one machine.
//
// Question: The first version took 10 s an epoch on a laptop's CPU and 19 s on an A30. On which of your
// devices is naive faster, and on which the best form?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// With index tensors made on the host and copied in every pass, the device mostly waits for the host. Once
// they are made where they are used that waiting is gone (the published A30 then takes 2 s); on a CPU there
// was none to lose.
//
// When it does not matter: a laptop's GPU, or a server's CPU with many cores, moves the figures, not the
// lesson.
//
// A row is one device, `cpu` or `cuda`; its two forms are the first published version and the best form of
// the ladder. Side by side the rows are the published table, twice. Both rows train the same data, without
// the option --scale 1/64 of the nodes, so that naive epochs stay short on a CPU; that small, a device has
// little to do, and its best form is probably bound by launches. --scale 1 is the published size. Without a
// CUDA device the row of the CPU is filled, and the other says why it is not.
//
// Answer: Naive may well be faster on the CPU, as published: 10 s an epoch against 19 s, since the device
// waits for index tensors from the host. In the best form nothing is copied, and the device should win at
// full size (`--scale 1`).

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_cpu_vs_cuda {

using namespace harness;

constexpr Axis axes[] = {stgym::unit_axis(stgym::only_epoch, stgym::only_epoch)};
constexpr std::string_view same_scale = "0.015625";
constexpr Tolerance other_order{
    .relative = 1e-4,
    .why = "the best form adds up in another order, and training carries the difference on"};

Trial prepare(Setup& setup, const Point&) {
  return stgym::forms_trial(
      setup,
      {.naive = {}, .optimized = stgym::all_kept(), .unit = stgym::TimedUnit::epoch, .scale = same_scale});
}

extern constexpr Step step = checked({
    .id = "stgym/cpu_vs_cuda",
    .claim = "The kept changes, ours included, shorten an epoch on the CPU and on the GPU of one machine.",
    .claim_ids = "cpu-baseline-vs-gpu",
    .source = stgym::post("the first measurement"),
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published =
                        "first version: CPU (M2) 10 s/epoch, 24 s in all; A30 19 s/epoch, 60 s in all",
                    .on_cpu = Outcome::helps},
    .tolerance = other_order,
    .cuda_tolerance = stgym::on_cuda,
    .row_seconds = 120,
    .suite = Suite::named,
});

}  // namespace workloads::stgym_cpu_vs_cuda
