#include "stand_in/operators/half.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace stand_in::operators {
namespace {

constexpr std::array<std::string_view, 6> products = {"aten::mm",          "aten::addmm",
                                                      "aten::bmm",         "aten::baddbmm",
                                                      "aten::convolution", "aten::convolution_backward"};

/// Those that give new tensors: an `out` argument must keep its type.
bool multiplies_halves(const c10::OperatorHandle& op, const Stack& stack) {
  const auto& schema = op.schema();
  if (std::ranges::find(products, schema.name()) == products.end()) return false;
  if (std::ranges::any_of(schema.arguments(), [](const c10::Argument& a) { return a.is_out(); }))
    return false;
  return std::ranges::any_of(stack, [](const IValue& value) {
    return value.isTensor() && value.toTensor().defined() && value.toTensor().scalar_type() == at::kHalf;
  });
}

void convert(Stack& stack, at::ScalarType from, at::ScalarType to) {
  for (auto& value : stack)
    value = each_tensor(
        value, [&](const Tensor& tensor) { return tensor.scalar_type() == from ? tensor.to(to) : tensor; });
}

}  // namespace

void call_on_host(const c10::OperatorHandle& op, Stack& stack) {
  const bool wider = multiplies_halves(op, stack);
  if (wider) convert(stack, at::kHalf, at::kFloat);
  op.callBoxed(&stack);
  if (wider) convert(stack, at::kFloat, at::kHalf);
}

}  // namespace stand_in::operators
