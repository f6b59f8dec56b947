#include "workloads/training/floor.hpp"

#include "workloads/gpt/gpt_rung.hpp"
#include "workloads/resnet50/resnet50_rung.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace {

using namespace workloads::training;
using Catch::Matchers::WithinRel;

/// A network of one operator and its weight.
template <class Predict>
Network network_of(const at::Tensor& weight, const Predict& predict) {
  return {.predict = [weight, predict](const at::Tensor& input, const Switches&,
                                       Mode) { return predict(input, weight); },
          .loss = {},
          .parameters = {{"weight", weight}},
          .buffers = {}};
}

Sample sample(at::IntArrayRef sizes) { return {at::zeros(sizes), at::zeros({1})}; }

TEST_CASE("a matrix that multiplies the batch is multiplied twice, one behind it three times", "[floor]") {
  const auto predict = [](const at::Tensor& x, const at::Tensor& w) {
    return at::linear(at::linear(x, w), w);
  };
  const auto work = step_work(network_of(at::zeros({5, 5}), predict), sample({7, 5}), false);
  CHECK(work.flop == (2 + 3) * 2 * 7 * 5 * 5);
  // Batch twice, target once, both products' results twice, and the matrix eight times, four bytes each.
  CHECK(work.bytes == 4 * (2 * 7 * 5 + 1 + 2 * 2 * 7 * 5 + 8 * 5 * 5));
  CHECK(work.link_bytes == 0);
}

TEST_CASE("of a kernel only the elements on the image count", "[floor]") {
  const auto predict = [](const at::Tensor& x, const at::Tensor& w) { return at::conv2d(x, w, {}, 1, 1); };
  const auto work = step_work(network_of(at::zeros({4, 3, 3, 3}), predict), sample({2, 3, 2, 2}), false);
  // On 2 x 2 pixels each of the four places sees a quarter of the kernel's border and its middle: 4 elements.
  CHECK(work.flop == 2. * 2 * (2 * 3 * 4 * 4 * 4));
}

TEST_CASE("a stride leaves places out", "[floor]") {
  const auto predict = [](const at::Tensor& x, const at::Tensor& w) { return at::conv2d(x, w, {}, 2); };
  const auto work = step_work(network_of(at::zeros({4, 3, 1, 1}), predict), sample({2, 3, 5, 5}), false);
  CHECK(work.flop == 2. * 2 * (2 * 3 * 4 * 3 * 3));
}

TEST_CASE("a transposed kernel that doubles an image multiplies each of its pixels by all elements",
          "[floor]") {
  const auto predict = [](const at::Tensor& x, const at::Tensor& w) {
    return at::conv_transpose2d(x, w, {}, 2);
  };
  const auto work = step_work(network_of(at::zeros({3, 4, 2, 2}), predict), sample({2, 3, 5, 5}), false);
  CHECK(work.flop == 2. * 2 * (2 * 3 * 4 * 5 * 5 * 4));
}

TEST_CASE("a batch from the host comes over the link", "[floor]") {
  const auto predict = [](const at::Tensor& x, const at::Tensor&) { return x; };
  CHECK(step_work(network_of(at::zeros({1}), predict), sample({7, 5}), true).link_bytes == 4 * (7 * 5 + 1));
}

TEST_CASE("the GPT's products are those of its four blocks and its head", "[floor]") {
  harness::Setup setup;
  const Trainer trainer(workloads::gpt::job(setup), {});
  const double tokens = 16 * 64, block = 12. * 128 * 128, head = 256. * 128;
  CHECK_THAT(trainer.step_work().flop, WithinRel(3 * 2 * tokens * (4 * block + head), 1e-9));
}

TEST_CASE("a step of ResNet-50 has nearly as many products as published for its size", "[floor]") {
  harness::Setup setup;
  const Trainer trainer(workloads::resnet50::job(setup), {});
  // torchvision gives 4.09 billion multiplications and additions for 224 x 224; those on borders are in it.
  const double whole = 3 * 2 * 8 * 4.09e9 * (64. / 224) * (64. / 224);
  CHECK(trainer.step_work().flop < whole);
  CHECK(trainer.step_work().flop > 0.7 * whole);
}

}  // namespace
