// STGym's own kernels on a device, each against LibTorch's operators on the host in double precision.
#include "harness/libtorch/precision.hpp"

#include "workloads/stgym/model/neighbour_sum.hpp"
#include "workloads/stgym/model/node_classifier.hpp"
#include "workloads/stgym/model/pool_by_segment.hpp"
#include "workloads/stgym/model/pool_fused.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace workloads::stgym;
using Tensors = std::vector<at::Tensor>;

at::Device gpu() {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  return {at::kCUDA, 0};
}

at::Tensor wide(const at::Tensor& t) { return t.cpu().to(at::kDouble); }

double largest(const at::Tensor& t) { return t.numel() == 0 ? 0 : t.abs().max().item<double>(); }

/// Where b is all zeros, a must be, too.
double distance(const at::Tensor& a, const at::Tensor& b) {
  return largest(wide(a) - b) / std::max(largest(b), std::numeric_limits<double>::min());
}

/// What `of` gives for these inputs and, weighed so that each entry counts in its own way, its gradients.
Tensors with_gradients(Tensors inputs, const std::function<at::Tensor(const Tensors&)>& of) {
  for (auto& input : inputs) input = input.detach().clone().set_requires_grad(true);
  const auto out = of(inputs);
  (out * at::arange(1, out.numel() + 1, out.options()).view(out.sizes()).sin()).sum().backward();
  Tensors all{out.detach()};
  for (const auto& input : inputs) all.push_back(input.grad());
  return all;
}

void check_same(const Tensors& device, const Tensors& host) {
  REQUIRE(device.size() == host.size());
  for (std::size_t i = 0; i < host.size(); ++i) {
    INFO(i);
    CHECK(distance(device[i], host[i]) < 2e-5);
  }
}

Tensors on_device(Tensors inputs) {
  for (auto& input : inputs) input = input.to(at::kFloat).to(gpu());
  return inputs;
}

TEST_CASE("gpu: a product with picked rows is that with the rows copied together", "[stgym][kernels][gpu]") {
  at::manual_seed(5);
  for (const auto& [count, outputs, width] :
       {std::tuple{700, 20, 36}, {1300, 132, 140}, {3, 4, 4}, {0, 4, 8}}) {
    INFO(count);
    const auto x = at::randn({500, width}, at::kDouble);
    const auto rows = at::randint(-1, 500, {count}, at::kLong);
    const auto weight = at::randn({outputs, width}, at::kDouble);
    const auto host = with_gradients({weight}, [&](const Tensors& in) {
      const auto picked = x.index_select(0, rows.clamp_min(0)) * rows.ge(0).unsqueeze(1);
      return at::mm(picked, in[0].t());
    });
    const auto there = on_device({x, weight});
    for (const bool on_tensor_cores : {false, true}) {
      INFO(on_tensor_cores);
      check_same(with_gradients({there[1]},
                                [&](const Tensors& in) {
                                  return gathered_product(there[0], rows.to(gpu()), in[0], on_tensor_cores);
                                }),
                 host);
    }
  }
}

/// Rounded to TF32's 11 significant digits.
at::Tensor in_tf32(const at::Tensor& t) {
  constexpr int half = 0x1000, kept = ~0x1fff;
  return t.view(at::kInt).add(half).bitwise_and(kept).view(at::kFloat).to(at::kDouble);
}

/// FP32 numbers of which none lies halfway between two of TF32.
at::Tensor uneven(at::IntArrayRef sizes) {
  return at::randn(sizes).view(at::kInt).bitwise_or(1).view(at::kFloat);
}

/// A product's factors, and the gradient by it.
struct Factors {
  explicit Factors(std::int64_t width) : x(uneven({300, width})), weight(uneven({36, width})) {}
  at::Tensor x, weight, gradient = uneven({260, 36});
  at::Tensor rows = at::arange(20, 280, at::kLong);

  /// The product and the weight's gradient, of what is read of each number.
  Tensors in_double(const std::function<at::Tensor(const at::Tensor&)>& read) const {
    const auto picked = read(x).index_select(0, rows);
    return {at::mm(picked, read(weight).t()), at::mm(read(gradient).t(), picked)};
  }
  Tensors of_library() const {
    const harness::MatmulPrecision mode("highest");
    const auto picked = x.index_select(0, rows).to(gpu());
    return {at::mm(picked, weight.to(gpu()).t()), at::mm(gradient.to(gpu()).t(), picked)};
  }
  Tensors on_device(bool on_tensor_cores, const char* precision) const {
    const harness::MatmulPrecision mode(precision);
    const auto w = weight.to(gpu()).set_requires_grad(true);
    const auto out = gathered_product(x.to(gpu()), rows.to(gpu()), w, on_tensor_cores);
    out.backward(gradient.to(gpu()));
    return {out.detach(), w.grad()};
  }
};

TEST_CASE("gpu: tensor cores multiply with the digits that float32 matmul precision asks for",
          "[stgym][kernels][gpu]") {
  if (!tensor_cores_take_tf32(gpu())) SKIP("no tensor cores that take TF32");
  at::manual_seed(10);
  const std::int64_t width = GENERATE(512, 2000);
  CAPTURE(width);
  const Factors factors(width);
  const auto exact = factors.in_double([](const at::Tensor& t) { return t.to(at::kDouble); });
  const auto rounded = factors.in_double(in_tf32);
  const auto library = factors.of_library();
  const auto arithmetic = factors.on_device(false, "highest");
  const auto highest = factors.on_device(true, "highest");
  for (std::size_t i = 0; i < exact.size(); ++i) {
    INFO(i);
    CHECK(distance(highest[i], exact[i]) < 2 * distance(library[i], exact[i]));
    CHECK(distance(highest[i], exact[i]) < 2 * distance(arithmetic[i], exact[i]));
  }
  for (const auto* precision : {"high", "medium"}) {
    const auto shorter = factors.on_device(true, precision);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      INFO(precision << " " << i);
      CHECK(distance(shorter[i], exact[i]) > 5e-5);
      CHECK(distance(shorter[i], rounded[i]) < 3e-5);
    }
  }
}

TEST_CASE("gpu: a product with picked rows in BF16 is that of the rounded factors", "[stgym][kernels][gpu]") {
  at::manual_seed(11);
  if (!tensor_cores_take_tf32(gpu())) {
    const auto few = at::randn({8, 8}).to(gpu());
    const auto rows = at::arange(8, at::kLong).to(gpu());
    CHECK_THROWS(gathered_product(few.to(at::kBFloat16), rows, few));
    return;
  }
  const auto rounded = [](const at::Tensor& t) { return t.to(at::kBFloat16).to(at::kDouble); };
  for (const auto& [count, outputs, width] : {std::tuple{700, 24, 512}, {260, 40, 2000}, {3, 8, 8}}) {
    INFO(count);
    const auto x = at::randn({500, width}), gradient = at::randn({count, outputs});
    const auto rows = at::randint(-1, 500, {count}, at::kLong);
    const auto weight = at::randn({outputs, width}).to(gpu()).set_requires_grad(true);
    const auto out = gathered_product(x.to(at::kBFloat16).to(gpu()), rows.to(gpu()), weight);
    out.backward(gradient.to(gpu()));
    const auto picked = x.index_select(0, rows.clamp_min(0)) * rows.ge(0).unsqueeze(1);
    CHECK(distance(out.detach(), at::mm(rounded(picked), rounded(weight.detach().cpu()).t())) < 2e-5);
    CHECK(distance(weight.grad(), at::mm(rounded(gradient).t(), rounded(picked))) < 2e-5);
    CHECK(distance(out.detach(), at::mm(wide(picked), wide(weight.detach()).t())) > 5e-4);
    CHECK(distance(weight.grad(), at::mm(wide(gradient).t(), wide(picked))) > 5e-4);
  }
}

TEST_CASE("gpu: a layer with its bias, and its ReLU, in the product is that of the operators",
          "[stgym][kernels][gpu]") {
  at::manual_seed(6);
  for (const auto& [nodes, inputs, outputs] :
       {std::tuple{1500, 24, 132}, {1500, 26, 20}, {1500, 132, 20}, {0, 24, 20}}) {
    CAPTURE(nodes, inputs);
    const Tensors layer{at::randn({nodes, inputs}, at::kDouble), at::randn({outputs, inputs}, at::kDouble),
                        at::randn({outputs}, at::kDouble)};
    const auto linear = [](const Tensors& in) { return at::linear(in[0], in[1], in[2]); };
    const auto host = with_gradients(layer, [&](const Tensors& in) { return linear(in).relu(); });
    for (const bool on_tensor_cores : {false, true})
      check_same(with_gradients(
                     on_device(layer),
                     [&](const Tensors& in) { return linear_relu(in[0], in[1], in[2], on_tensor_cores); }),
                 host);
    check_same(with_gradients(on_device(layer),
                              [](const Tensors& in) { return linear_on_tensor_cores(in[0], in[1], in[2]); }),
               with_gradients(layer, linear));
  }
}

TEST_CASE("gpu: a layer whose outputs are no multiple of 4 is the library's", "[stgym][kernels][gpu]") {
  at::manual_seed(12);
  const Tensors layer{at::randn({700, 24}, at::kDouble), at::randn({5, 24}, at::kDouble),
                      at::randn({5}, at::kDouble)};
  check_same(with_gradients(on_device(layer),
                            [](const Tensors& in) { return linear_on_tensor_cores(in[0], in[1], in[2]); }),
             with_gradients(layer, [](const Tensors& in) { return at::linear(in[0], in[1], in[2]); }));
}

TEST_CASE("gpu: rows that do not lie one behind the other are not picked", "[stgym][kernels][gpu]") {
  const auto x = at::zeros({8, 12}).to(gpu()).narrow(1, 0, 8);
  CHECK_THROWS(gathered_product(x, at::arange(8, at::kLong).to(gpu()), at::zeros({4, 8}).to(gpu())));
}

/// A data set of three graphs of 5, 4 and 7 nodes, and its last and first graph as a batch of row numbers.
struct Rows {
  at::Tensor edges =
      at::tensor({0, 1, 1, 2, 5, 7, 9, 10, 11, 15, 1, 0, 2, 1, 7, 5, 10, 9, 15, 11}, at::kLong).view({2, 10});
  at::Tensor rows = at::tensor({9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, -1, -1}, at::kLong);
  at::Tensor dense;  // [N, N]: the batch's adjacency
  Batch batch;

  Rows() {
    const auto whole =
        at::sparse_coo_tensor(edges, at::arange(1, 11, at::kDouble).remainder(5) + 1, {16, 16});
    const auto both = (whole + whole.t()).coalesce();
    const auto real = rows.narrow(0, 0, 12);
    dense = at::zeros({14, 14}, at::kDouble);
    dense.narrow(0, 0, 12).narrow(1, 0, 12).copy_(
        both.to_dense().index_select(0, real).index_select(1, real));
    const auto begin = at::searchsorted(both.indices()[0].contiguous(), at::arange(17, at::kLong));
    batch.neighbours = std::make_shared<const ResidentNeighbours>(
        ResidentNeighbours{begin.to(gpu()),
                           both.indices()[1].contiguous().to(gpu()),
                           both.values().to(at::kFloat).to(gpu()),
                           {}});
    batch.rows = rows.to(gpu());
    batch.offsets = at::tensor({0, 7, 12}, at::kLong).to(gpu());
    batch.degree = dense.sum(0).to(at::kFloat).to(gpu());
    batch.sizes = {7, 5};
  }
};

TEST_CASE("gpu: a sum over neighbours that lie in the data set is that over the batch's",
          "[stgym][kernels][gpu]") {
  at::manual_seed(7);
  const Rows rows;
  for (const std::int64_t width : {12, 132}) {
    const Tensors inputs{at::randn({14, width}, at::kDouble), at::randn({width}, at::kDouble)};
    const auto host = with_gradients(
        inputs, [&](const Tensors& in) { return (in[0] + at::mm(rows.dense.t(), in[0]) + in[1]).relu(); });
    check_same(with_gradients(on_device(inputs),
                              [&](const Tensors& in) { return neighbour_sum(in[0], in[1], rows.batch); }),
               host);
  }
}

TEST_CASE("gpu: the pooling layer of rows in place has the losses and the gradient of the joined batch's",
          "[stgym][kernels][gpu]") {
  at::manual_seed(8);
  const Rows rows;
  const auto mixed = [](const at::Tensor& soft, const at::Tensor& mincut, const at::Tensor& ortho) {
    return at::cat({soft.flatten(), (3 * mincut).view({1}), (5 * ortho).view({1})});
  };
  const Tensors inputs{at::randn({14, 5}, at::kDouble)};
  const auto host = with_gradients(inputs, [&](const Tensors& in) {
    const auto sums = pool_sums({at::zeros({14, 3}, at::kDouble), in[0], rows.dense.to_sparse().coalesce(),
                                 at::tensor({0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2}, at::kLong), 2, 2});
    return mixed(sums.s, -(sums.inside / sums.ends), mean_ortho_loss(sums.ss));
  });
  check_same(with_gradients(on_device(inputs),
                            [&](const Tensors& in) {
                              const auto pooled = pool_in_place(in[0], rows.batch);
                              return mixed(pooled.soft, pooled.mincut_loss, pooled.ortho_loss);
                            }),
             host);
}

/// x, then the weight and bias of each layer.
Tensors classifier_inputs(std::int64_t nodes, const std::vector<std::int64_t>& widths) {
  Tensors all{at::randn({nodes, widths.front()}, at::kDouble)};
  for (std::size_t l = 1; l < widths.size(); ++l) {
    const auto scale = std::sqrt(static_cast<double>(widths[l - 1]));
    all.push_back(at::randn({widths[l], widths[l - 1]}, at::kDouble) * 2 / scale);
    all.push_back(at::randn({widths[l]}, at::kDouble));
  }
  return all;
}

ClassifierWeights weights_of(const Tensors& in) {
  ClassifierWeights layers;
  for (std::size_t i = 1; i < in.size(); i += 2) layers.emplace_back(in[i], in[i + 1]);
  return layers;
}

TEST_CASE("gpu: the classifier's kernel has the loss and the gradients of its operators",
          "[stgym][kernels][gpu]") {
  at::manual_seed(9);
  constexpr std::int64_t nodes = 4101;  // some blocks take nodes more than once, and the last takes few
  using Widths = std::vector<std::int64_t>;
  for (const auto& widths : {Widths{20, 64, 32, 39}, {7, 5, 3}, {32, 2}, {3, 8, 12, 7, 40}, {7, 5, 1}}) {
    CAPTURE(widths);
    const auto inputs = classifier_inputs(nodes, widths);
    auto labels = at::randint(widths.back(), {nodes}, at::kLong);
    labels.narrow(0, nodes - 10, 10).fill_(-100);
    at::Tensor logits;
    const auto host = with_gradients(inputs, [&](const Tensors& in) {
      auto x = in[0];
      for (const auto& [weight, bias] : weights_of(in)) x = at::linear(x, weight, bias).relu();
      logits = x.detach();
      return at::nll_loss(at::log_softmax(x, -1), labels);
    });
    check_same(with_gradients(on_device(inputs),
                              [&](const Tensors& in) {
                                const auto out = classified(in[0], labels.to(gpu()), weights_of(in));
                                CHECK(distance(out.logits, logits) < 1e-5);
                                return out.loss;
                              }),
               host);
  }
}

TEST_CASE("gpu: the classifier's kernel refuses what its shared memory cannot hold",
          "[stgym][kernels][gpu]") {
  const auto inputs = on_device(classifier_inputs(4, {20, 64, 32, 39}));
  CHECK(fused_classifier_fits(inputs[0], weights_of(inputs)));
  auto wider = weights_of(inputs);
  wider.emplace_back(at::zeros({8, 39}).to(gpu()), at::zeros({8}).to(gpu()));
  CHECK_FALSE(fused_classifier_fits(inputs[0], wider));
}

}  // namespace
