// Measure alone: beside other work it is first the slow runs that get slower, and only then the median.
//
// Question: Beside a busy process on each CPU, what moves more: a step's median, or its 99th percentile?
//
// A run that shares its machine is not slowed down evenly. As long as nothing else needs the core or the
// device, it takes its usual time; when somebody does, it waits for a slice of time to end, which is hundreds
// of times longer than a kernel. So most runs look alike and a few stick out. A mean drags them along, a
// median hides them, and a comparison of two single runs may find anything. How far the slow ones stick out
// is a separate figure: the 99th percentile divided by the median.
//
// When it does not matter: for the median of many short runs on a machine with cores to spare. A step in
// which threads or devices wait for each other has it worst, since each wait is for the slowest of them.
// Clocks that change with the temperature are another source, and no neighbor is to blame for them.
//
// A row measures a step of twelve small products at a time, about 0.1 ms with its wait, at least 200 of them
// in a slot, and judges the 99th percentile divided by the median, not the time. The first side works beside
// neighbors, the second alone. `load:host` is a process that computes for each CPU that this one may use,
// `load:process` a process that keeps the same device busy (on CUDA). They are stopped between slots.
//
// Answer: The 99th percentile: most runs take their usual time, and a few wait for another process's time
// slice. The median follows only when more than half of the runs are held up.

#include "microbench/variability/neighbours.hpp"

#include "harness/cuda/device.hpp"
#include "harness/machine/host.hpp"

#include "microbench/dataload/sources.hpp"
#include "microbench/tip.hpp"
#include "microbench/variability/device_load.hpp"

namespace microbench::variability_neighbours {

constexpr Axis axes[] = {
    {.name = "load",
     .about = "host: a busy process for each CPU of this process; process: one that uses the same device",
     .labels = {"host", "process"}},
};
constexpr std::int64_t elements = 1 << 16;
constexpr int products = 12;

std::shared_ptr<Neighbours> on_the_host(const Setup& setup) {
  return std::make_shared<Neighbours>(busy_source, read_host().cpus_allowed, setup.loader);
}

std::shared_ptr<Neighbours> on_the_device(const Device& device) {
  const auto sources = device_loads();
  const auto index = static_cast<std::size_t>(device.index);
  if (index >= sources.size()) throw Skip("only the first eight devices have a neighbor");
  if (device_attribute(cudaDevAttrComputeMode, device.index) != cudaComputeModeDefault)
    throw Skip("the device lets one process use it");
  return std::make_shared<Neighbours>(sources[index], 1, "/proc/self/exe");
}

struct State {
  at::Tensor x, factor, y;
  std::shared_ptr<Neighbours> neighbours;
};

bool takes(const Point& point, const Device& device) { return device.is_cuda() || point["load"] == 0; }

Trial prepare(Setup& setup, const Point& point) {
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  const auto s = std::make_shared<State>();
  s->neighbours = neighbours_of_the_row(setup, [&, host = point["load"] == 0] {
    return host ? on_the_host(setup) : on_the_device(setup.device);
  });
  s->x = at::ones({elements}, options);
  s->factor = at::full({}, 1.5F, options);
  s->y = at::empty_like(s->x);

  const auto form = [s] {
    at::mul_out(s->y, s->x, s->factor);
    for (int i = 1; i < products; ++i) s->y.mul_(s->factor);
  };
  return {
      .naive = form,
      .optimized = form,
      .clear = [s] { s->y.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->y); },
      .before_slot =
          [s](Form which) { which == Form::naive ? s->neighbours->work() : s->neighbours->rest(); },
      .statistic = Statistic::tail,
  };
}

extern constexpr Step step = checked({
    .id = "variability/neighbours",
    .claim = "Alone on its machine the slowest runs of a step stick out less than beside other work.",
    .claim_ids = "diag-variability",
    .sides = {"beside other work", "alone"},
    .source = {.title = "NVIDIA Multi-Process Service",
               .url = "https://docs.nvidia.com/deploy/mps/index.html",
               .where = "Introduction: a device is shared by slices of time"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .delta = 0.1,
    .row_seconds = 8,
});

}  // namespace microbench::variability_neighbours
