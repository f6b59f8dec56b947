#include "workloads/stgym/train/compiled_classifier.hpp"

#include <ATen/ATen.h>

#include <iterator>

namespace workloads::stgym {
namespace {

/// The best form's arithmetic (model/model.cpp, model/pool_by_segment.cpp) and Adam's, in Python for its
/// compiler: features are multiplied before they are aggregated, and C is never made.
constexpr std::string_view python = R"python(
F = torch.nn.functional

def loss_of(x, y, sources, targets, rows, columns, weights, graph_of, graphs, p):
    z = x @ p[0].t()
    h = F.relu(z.index_add(0, targets, z.index_select(0, sources)) + p[1])
    h = F.relu(F.linear(h, p[2], p[3]))
    s = torch.softmax(torch.softmax(F.linear(h, p[4], p[5]), -1), -1)
    inside = ((s.index_select(0, rows) * s.index_select(0, columns)).sum(1) * weights).sum()
    degree = torch.zeros_like(x[:, 0]).index_add(0, columns, weights)
    mincut = -inside / (s.square().sum(1) * degree).sum()
    k = s.shape[1]
    own = (graph_of[:, None] == graphs).to(s.dtype)
    ss = ((own[:, :, None] * s[:, None, :]).flatten(1).t() @ s).view(-1, k, k)
    scaled = ss / ss.square().sum((1, 2), keepdim=True).sqrt()
    ortho = (scaled - torch.eye(k, device=s.device) / k ** 0.5).square().sum((1, 2)).sqrt().mean()
    for i in range(6, len(p), 2):
        s = F.relu(F.linear(s, p[i], p[i + 1]))
    return F.nll_loss(torch.log_softmax(s, -1), y) + mincut + ortho

def step(count, settings, x, y, sources, targets, rows, columns, weights, graph_of, graphs, *tensors):
    n = len(tensors) // 3
    parameters = [each.detach().requires_grad_() for each in tensors[:n]]
    loss = loss_of(x, y, sources, targets, rows, columns, weights, graph_of, graphs, parameters)
    gradients = torch.autograd.grad(loss, parameters)
    count.add_(1)
    one = 1 - torch.pow(0.9, count)
    two = (1 - torch.pow(0.999, count)).sqrt()
    for p, g, m, v in zip(tensors[:n], gradients, tensors[n:2 * n], tensors[2 * n:]):
        g = g + settings[1] * p
        m.lerp_(g, 0.1)
        v.mul_(0.999).addcmul_(g, g, value=0.001)
        p.sub_(settings[0] * (m / one) / (v.sqrt() / two + 1e-8))
    return (loss.detach(),)
)python";

constexpr std::size_t before_batch = 2;  // count and settings
constexpr std::size_t of_batch = 9;

/// Every tensor of the batch has another length in the next one.
std::vector<std::size_t> lengths_that_vary() {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < of_batch; ++i) all.push_back(before_batch + i);
  return all;
}

}  // namespace

CompiledStep::CompiledStep(const NamedTensors& parameters, const space::OptimizerConfig& optimizer,
                           const Batch& sample)
    : settings_(
          at::tensor({static_cast<float>(optimizer.base_lr), static_cast<float>(optimizer.weight_decay)})
              .to(sample.x.device())),
      step_({.step = "stgym/compiled",
             .source = python,
             .inputs = inputs(sample),
             .varies = lengths_that_vary()},
            parameters, {}) {}

std::vector<at::Tensor> CompiledStep::inputs(const Batch& batch) const {
  const auto ends = batch.adjacency.indices();
  const auto graphs = at::arange(std::ssize(batch.sizes), batch.graph_of.options());
  std::vector<at::Tensor> all{settings_,      batch.x, batch.y, batch.edges[0],
                              batch.edges[1], ends[0], ends[1], batch.adjacency.values(),
                              batch.graph_of, graphs};
  for (auto& tensor : all) tensor = tensor.contiguous();
  return all;
}

}  // namespace workloads::stgym
