// Multiply before you aggregate, where the matrix makes rows shorter.
//
// Question: Rows have 2,000 numbers before the product and 128 after it. What share of a step is moving the
// longer ones?
//
// GIN's first layer is linear in the sum over the neighbours: (x + A x) W' = y + A y with y = x W'. The
// published order moves rows of 2,000 numbers along the edges, adds them to a copy of x and keeps that copy
// for the backward pass. Multiplied first, rows have 128 numbers; what is kept for the backward pass is x,
// which is there anyway. The bias is added last: it must count once, not once for each neighbour.
//
// When it does not matter: where the layer's output is as wide as its input. Where it is wider, it hurts.
//
// Promise: the same numbers to a tolerance, since the sum is taken in another order.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_project_first {
namespace {

using namespace harness;

constexpr Tolerance other_order{
    .relative = 1e-4,
    .why =
        "a sum over neighbours and features is added up in another order, and training carries the "
        "difference on"};

Trial prepare(Setup& setup, const Point& point) {
  return stgym::rung_trial(setup, point, &stgym::Switches::project_first);
}

}  // namespace

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/project_first",
    .claim = "Multiplying 2,000 features down to 128 before they are aggregated shortens a training step.",
    .source = {.title = "PyTorch Geometric, GCNConv",
               .url = "https://pytorch-geometric.readthedocs.io/en/latest/generated/"
                      "torch_geometric.nn.conv.GCNConv.html",
               .where = "whose linear map comes before the propagation; for GIN the change is ours"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = other_order,
}));

}  // namespace workloads::stgym_project_first
