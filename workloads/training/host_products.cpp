#include "workloads/training/host_products.hpp"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <optional>
#include <string_view>

namespace workloads::training {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// at::linear takes FP32 to the BLAS library. LibTorch calls oneDNN's inner product by this name when it
/// compiles a model; it has no gradient of its own.
using InnerProduct = at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                                std::string_view, c10::List<std::optional<at::Scalar>>,
                                std::optional<std::string_view>);

std::optional<c10::OperatorHandle> inner_product() {
  return c10::Dispatcher::singleton().findSchema({"mkldnn::_linear_pointwise", ""});
}

at::Tensor product(const at::Tensor& x, const at::Tensor& weight,
                   const std::optional<at::Tensor>& bias = std::nullopt) {
  const auto call = inner_product()->typed<InnerProduct>();
  return call.call(x, weight, bias, "none", c10::List<std::optional<at::Scalar>>(), "");
}

/// The same, so many rows at a time. What a row costs oneDNN's kernel depends on how many there are, as it
/// looks for a block that divides them: of 35,936 (32 times a prime) each took a quarter longer than of
/// 33,600 or of 48,000, with oneDNN 3.10 and AVX-512. In blocks of a power of two it costs the same for any
/// number.
at::Tensor product_of_rows(const at::Tensor& x, const at::Tensor& weight,
                           const std::optional<at::Tensor>& bias = std::nullopt) {
  constexpr std::int64_t most = 8192;
  const auto rows = x.size(0);
  if (rows <= most) return product(x, weight, bias);
  auto out = at::empty({rows, weight.size(0)}, x.options());
  for (std::int64_t begin = 0; begin < rows; begin += most) {
    const auto count = std::min(most, rows - begin);
    out.narrow(0, begin, count).copy_(product(x.narrow(0, begin, count), weight, bias));
  }
  return out;
}

at::Tensor mapped(Library by, const at::Tensor& x, const at::Tensor& weight,
                  const std::optional<at::Tensor>& bias = std::nullopt) {
  return by == Library::blas ? at::linear(x, weight, bias) : product_of_rows(x, weight, bias);
}

/// g W and g' x.
at::Tensor gradient_by_input(Library by, const at::Tensor& g, const at::Tensor& weight) {
  return by == Library::blas ? at::mm(g, weight) : product_of_rows(g, weight.t());
}
at::Tensor gradient_by_weight(Library by, const at::Tensor& g, const at::Tensor& x) {
  return by == Library::blas ? at::mm(g.t(), x) : product(g.t(), x.t());
}

struct HostLinear : torch::autograd::Function<HostLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias, const Libraries& by) {
    context->save_for_backward({x, weight});
    context->saved_data["bias"] = bias.has_value();
    context->saved_data["by input"] = static_cast<std::int64_t>(by.by_input);
    context->saved_data["by weight"] = static_cast<std::int64_t>(by.by_weight);
    return mapped(by.forward, x, weight, bias);
  }
  /// Two more products; the one for x only where somebody asks for it.
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto library = [&](const char* name) {
      return Library{static_cast<std::uint8_t>(context->saved_data[name].toInt())};
    };
    const auto g = gradients[0].contiguous();
    return {context->needs_input_grad(0) ? gradient_by_input(library("by input"), g, saved[1]) : at::Tensor(),
            gradient_by_weight(library("by weight"), g, saved[0]),
            context->saved_data["bias"].toBool() ? g.sum(0) : at::Tensor(), at::Tensor()};
  }
};

/// `sum` += g' x, or = where it is the first; in FP32.
void add_gradient(Library by, at::Tensor& sum, const at::Tensor& g, const at::Tensor& x) {
  if (x.scalar_type() != at::kFloat) {
    const auto part = at::mm(g.t(), x);
    sum = sum.defined() ? sum.add_(part) : part.to(at::kFloat);
    return;
  }
  if (!sum.defined())
    sum = gradient_by_weight(by, g, x);
  else if (by == Library::blas)
    sum.addmm_(g.t(), x);
  else
    sum.add_(gradient_by_weight(by, g, x));
}

std::int64_t rows_of(const std::vector<at::Tensor>& parts) {
  std::int64_t rows = 0;
  for (const auto& part : parts) rows += part.size(0);
  return rows;
}

struct ProductOfParts : torch::autograd::Function<ProductOfParts> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& weight,
                            const std::vector<at::Tensor>& parts, const Libraries& by) {
    auto out = at::empty({rows_of(parts), weight.size(0)}, weight.options());
    std::int64_t row = 0;
    const auto same_type = weight.to(parts.front().scalar_type());
    for (const auto& part : parts) {
      auto place = out.narrow(0, row, part.size(0));
      if (part.scalar_type() != at::kFloat)
        place.copy_(at::mm(part, same_type.t()));
      else if (by.forward == Library::blas)
        at::mm_out(place, part, weight.t());
      else
        place.copy_(product_of_rows(part, weight));
      row += part.size(0);
    }
    context->save_for_backward(parts);
    context->saved_data["by weight"] = static_cast<std::int64_t>(by.by_weight);
    return out;
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const Library by{static_cast<std::uint8_t>(context->saved_data["by weight"].toInt())};
    const auto parts = context->get_saved_variables();
    const auto g = gradients[0].contiguous().to(parts.front().scalar_type());
    at::Tensor of_weight;
    std::int64_t row = 0;
    for (const auto& part : parts) {
      add_gradient(by, of_weight, g.narrow(0, row, part.size(0)), part);
      row += part.size(0);
    }
    return {of_weight, {}, {}};
  }
};

template <class Run>
double seconds_of(const Run& run) {
  const auto begin = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

bool onednn_multiplies(const at::Tensor& x) {
  return x.is_cpu() && x.scalar_type() == at::kFloat && at::hasMKLDNN() && inner_product().has_value();
}

at::Tensor host_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                       const Libraries& by) {
  return HostLinear::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt, by);
}

at::Tensor product_of_parts(const std::vector<at::Tensor>& parts, const at::Tensor& weight,
                            const Libraries& by) {
  return ProductOfParts::apply(weight, parts, by);
}

double product_error(const at::Tensor& x, const at::Tensor& weight) {
  const c10::NoGradGuard no_gradients;
  const auto exact = at::mm(x.to(at::kDouble), weight.to(at::kDouble).t());
  const auto product = product_of_parts({x}, weight, {});
  return ((product - exact).norm() / exact.norm()).item<double>();
}

Library faster_library(const SecondsOf& seconds) {
  constexpr int runs = 5;
  constexpr std::array both{Library::blas, Library::onednn};
  std::array<double, 2> least{};
  least.fill(std::numeric_limits<double>::infinity());
  for (const auto library : both) seconds(library);
  for (int run = 0; run < runs; ++run)
    for (std::size_t i = 0; i < both.size(); ++i) least[i] = std::min(least[i], seconds(both[i]));
  return least[1] < least[0] ? Library::onednn : Library::blas;
}

Libraries faster_libraries(const at::Tensor& weight) {
  constexpr std::int64_t rows = 1024, small = 8192;
  if (!onednn_multiplies(weight)) return {};
  if (weight.numel() < small) return onednn_alone;
  const c10::NoGradGuard no_gradients;
  const auto x = at::ones({rows, weight.size(1)}), g = at::ones({rows, weight.size(0)});
  return {faster_library([&](Library by) { return seconds_of([&] { mapped(by, x, weight); }); }),
          faster_library([&](Library by) { return seconds_of([&] { gradient_by_input(by, g, weight); }); }),
          faster_library([&](Library by) { return seconds_of([&] { gradient_by_weight(by, g, x); }); })};
}

int number_of(const Libraries& libraries) {
  return 1 + static_cast<int>(libraries.forward) + 2 * static_cast<int>(libraries.by_input) +
         4 * static_cast<int>(libraries.by_weight);
}

Libraries libraries_of(int number) {
  const auto bit = [&](int which) { return Library{static_cast<std::uint8_t>(((number - 1) >> which) & 1)}; };
  return {bit(0), bit(1), bit(2)};
}

}  // namespace workloads::training
