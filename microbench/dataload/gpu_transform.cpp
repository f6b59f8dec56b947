// Transform samples on the device instead of on the processor.
//
// Question: The neighbors of 2048 points and a plain normalization: which of the two is worth moving to the
// device?
//
// A transform that computes (distances, statistics, resizing, colors) is the kind of work that a device does
// well: the same few operations on many values. The sample has to go there in any case. On the processor the
// same work holds up the loop or takes a worker, and what comes out may be larger than what went in: then the
// copy shrinks, too, if you move the transform after it.
//
// When it does not matter: where workers have cores to spare and hide the work behind the training. When it
// hurts: where the training already fills the device, since transforms then take their time from it; with
// small samples, whose kernels take longer to start than to run (512 points to normalize); where the
// transform is mostly branches, strings or files, which a device does badly.
//
// A row measures one sample from the host's memory to its transformed form on the device, and nothing beside
// it. `knn` finds the 10 nearest neighbors of each of n points by looking at all pairs, with the same
// operators on both sides; the answer compares how far away the neighbors are, because two that are equally
// far may come in either order. `normalize` brings 256 features of each point to one scale: little work for
// the bytes that are copied.
//
// Answer: The neighbors: all pairs of 2,048 points are arithmetic for a device. The normalization does
// little for each byte that is copied anyway; it gains if the host is slow at it, and at small sizes its
// kernels take longer to start than to run.

#include "microbench/dataload/transforms.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_gpu_transform {

constexpr Axis axes[] = {
    {.name = "transform",
     .about = "knn: the 10 nearest neighbors of each point; normalize: 256 features of each point",
     .quick = {0},
     .labels = {"knn", "normalize"}},
    {.name = "nodes", .about = "points of the sample", .values = {512, 2048}, .quick = {2048}},
};
constexpr std::int64_t neighbours = 10;

struct State {
  bool knn = true;
  at::Tensor sample;  // on the host
  at::Tensor out;     // on the device
  at::Tensor transform(const at::Tensor& x) const { return knn ? nearest(x, neighbours) : normalized(x); }
  at::Tensor answer() const { return knn ? distances_to(sample, out.cpu()) : out; }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto nodes = point["nodes"];
  require_device_memory(static_cast<std::size_t>(nodes * nodes) * 4 * sizeof(float));
  const auto device = torch_device(setup.device);
  const auto s = std::make_shared<State>();
  s->knn = point["transform"] == 0;
  s->sample = random_features(nodes, s->knn ? 3 : 256, setup.seed);
  s->out = s->transform(s->sample).to(device);

  return {
      .naive = [s, device] { s->out = s->transform(s->sample).to(device); },
      .optimized = [s, device] { s->out = s->transform(s->sample.to(device)); },
      .clear = [s] { s->out = at::zeros_like(s->out); },
      .answer = [s](Form) { return numbers_of(s->answer()); },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/gpu_transform",
    .claim = "A transform that computes is sooner done on the device than on the processor.",
    .claim_ids = "data-gpu-transform",
    .sides = {"on the host", "on the device"},
    .source = {.title = "NVIDIA DALI Documentation",
               .url = "https://docs.nvidia.com/deeplearning/dali/user-guide/docs/index.html",
               .where = "NVIDIA DALI: offloading data preprocessing to the GPU"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure",
                    .except = "transform:normalize/nodes:512"},
    .tolerance = {.relative = 1e-5, .why = "host and device add up in another order, and may fuse"},
});

}  // namespace microbench::dataload_gpu_transform
