#include "stand_in/operators/kernels.hpp"

#include "stand_in/operators/below.hpp"
#include "stand_in/operators/redirect.hpp"

#include <ATen/ATen.h>
#include <ATen/cuda/EmptyTensor.h>
#include <ATen/native/Copy.h>
#include <ATen/ops/copy_native.h>
#include <c10/cuda/CUDAGuard.h>

namespace stand_in::operators {
namespace {

/// cudaMemcpyAsync can do it.
bool is_plain(const Tensor& to, const Tensor& from) {
  return to.scalar_type() == from.scalar_type() && to.sizes().equals(from.sizes()) &&
         to.strides().equals(from.strides()) && to.is_non_overlapping_and_dense() &&
         to.is_conj() == from.is_conj() && to.is_neg() == from.is_neg();
}

std::vector<IValue> taken(Stack* stack, std::size_t count) {
  auto arguments = torch::jit::last(*stack, count).vec();
  torch::jit::drop(*stack, count);
  return arguments;
}

/// Of a factory function: (..., dtype, layout, device, pin_memory) end at `device`'s place.
at::Device device_at(const std::vector<IValue>& arguments, std::size_t place) {
  const auto device = arguments[place].isNone() ? at::Device(at::kCUDA) : arguments[place].toDevice();
  return device.has_index() ? device : at::Device(at::kCUDA, c10::cuda::current_device());
}

at::ScalarType type_at(const std::vector<IValue>& arguments, std::size_t place) {
  return arguments[place].isNone() ? c10::get_default_dtype_as_scalartype() : arguments[place].toScalarType();
}

Tensor poisoned(const Tensor& tensor) {
  const c10::cuda::CUDAGuard guard(tensor.device());
  poison(tensor);
  return tensor;
}

}  // namespace

void copy(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
  const auto arguments = taken(stack, 3);
  Tensor to = arguments[0].toTensor();
  Tensor from = arguments[1].toTensor();
  const bool on_device = to.is_cuda() && from.is_cuda() && to.layout() == at::kStrided;
  if (on_device && !is_plain(to, from)) {
    const bool one = to.device() == from.device();
    if (!one) {  // as it must lie there, then across
      from = from.to(to.scalar_type()).expand_as(to).contiguous();
      auto here = new_tensor(from.sizes(), from.strides(), from.scalar_type(), to.device());
      at::native::copy_(here, from, arguments[2].toBool());
      from = here;
    }
    return redirect(Call{&op, {to, from, arguments[2]}, to.device()}, stack);
  }
  at::native::copy_(to, from, arguments[2].toBool());
  stack->emplace_back(std::move(to));
}

void empty(const c10::OperatorHandle&, c10::DispatchKeySet, Stack* stack) {
  const auto arguments = taken(stack, 6);
  const auto format = arguments[5].isNone() ? std::nullopt : std::optional(arguments[5].toMemoryFormat());
  const Tensor made = at::detail::empty_cuda(arguments[0].toIntVector(), type_at(arguments, 1),
                                             device_at(arguments, 3), format);
  stack->emplace_back(poisoned(made));
}

void empty_strided(const c10::OperatorHandle&, c10::DispatchKeySet, Stack* stack) {
  const auto arguments = taken(stack, 6);
  const Tensor made = at::detail::empty_strided_cuda(arguments[0].toIntVector(), arguments[1].toIntVector(),
                                                     type_at(arguments, 2), device_at(arguments, 4));
  stack->emplace_back(poisoned(made));
}

void choose_math_attention(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
  constexpr std::int64_t math = 0;
  torch::jit::drop(*stack, op.schema().arguments().size());
  stack->emplace_back(math);
}

}  // namespace stand_in::operators
