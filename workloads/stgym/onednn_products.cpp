// On the host, multiply FP32 matrices through oneDNN instead of the BLAS library that LibTorch was linked to.
//
// Question: Is your processor of the maker that the BLAS library favours, and what does another library then
// gain?
//
// at::linear and at::mm give FP32 to the BLAS library, in the published wheels MKL. MKL chooses its kernels
// by the maker of the processor as well as by what it can do: on others' it may leave the widest instructions
// alone. oneDNN, which LibTorch brings along for convolutions, 16 bits and compiled models, needs only the
// instructions. The largest work of a step is two products with x: [N, 2000] by [2000, 128], and back for the
// gradient.
//
// When it does not matter: where the BLAS library takes the widest instructions itself, and on a device,
// whose products are cuBLAS's either way: the row is skipped there.
//
// Promise: the same numbers to a tolerance; FP32 throughout, added up in another order.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_onednn_products {
namespace {

using namespace harness;

constexpr Tolerance other_order{
    .relative = 1e-4,
    .why = "products are added up in another order, and training carries the difference on"};

Trial prepare(Setup& setup, const Point& point) {
  if (setup.device.is_cuda()) throw Skip("products on a device are not the host's libraries'");
  return stgym::rung_trial(setup, point, &stgym::Switches::onednn_products);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "stgym/onednn_products",
    .claim = "FP32 products through oneDNN instead of the BLAS library shorten a training step on the host.",
    .source = {.title = "oneDNN, inner product",
               .url = "https://uxlfoundation.github.io/oneDNN/dev_guide_inner_product.html",
               .where = "the primitive; the change is ours"},
    .runs = Runs::session,
    .axes = stgym::our_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = other_order,
    .row_seconds = 11,
    .other_costs = stgym::epoch_costs,
});

}  // namespace workloads::stgym_onednn_products
