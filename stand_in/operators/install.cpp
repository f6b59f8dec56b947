// Puts the stand-in's kernels in the places of CUDA's when the library is loaded.

#include "stand_in/operators/below.hpp"
#include "stand_in/operators/count.hpp"
#include "stand_in/operators/half.hpp"
#include "stand_in/operators/operator_call.hpp"
#include "stand_in/operators/operator_random.hpp"
#include "stand_in/runtime.hpp"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/cuda/EmptyTensor.h>
#include <ATen/native/Copy.h>
#include <ATen/ops/copy_native.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace stand_in::operators {
namespace {

/// What the stream's thread needs: nothing here is the caller's.
struct Queued {
  c10::OperatorHandle op;
  Stack arguments;
  Random random;
  std::vector<Tensor> outs;  // where new results go; undefined where a result is an argument
};

std::vector<Tensor> tensors_in(const Stack& stack) {
  std::vector<Tensor> out;
  for (const auto& value : stack)
    if (value.isTensor())
      out.push_back(value.toTensor());
    else if (value.isTensorList())
      for (const Tensor& tensor : value.toTensorVector()) out.push_back(tensor);
  return out;
}

void compute(const Queued& work) {
  const Below below;
  Stack stack = work.arguments;
  work.random.run(stack, [&] { call_on_host(work.op, stack); });
  const auto results = tensors_in(stack);
  for (std::size_t i = 0; i < work.outs.size(); ++i)
    if (work.outs[i].defined() && work.outs[i].numel() > 0 && results.at(i).defined())
      at::Tensor(work.outs[i]).copy_(results[i]);
}

/// What the work throws is what an assertion of a kernel would be.
void queue(const Call& call, Queued work) {
  const auto command = counted(call, work.outs);
  const auto run = [work = std::move(work), name = call.name()] {
    try {
      compute(work);
    } catch (const c10::Error& error) {
      fail(cudaErrorAssert, name + ": " + error.what_without_backtrace());
    } catch (const std::exception& error) {
      fail(cudaErrorAssert, name + ": " + error.what());
    }
  };
  C10_CUDA_CHECK(submit(call.stream().stream(), command, run));
}

void queue_and_return(const Call& call, const Stack& shapes, Stack* stack) {
  Queued work{*call.op, {}, Random(call), {}};
  for (const auto& value : call.arguments)
    work.arguments.push_back(value.isDevice() && value.toDevice().is_cuda() ? IValue(at::Device(at::kCPU))
                                                                            : each_tensor(value, kept));
  for (std::size_t i = 0; i < call.schema().returns().size(); ++i) {
    if (const auto from = call.argument_of(i)) {
      stack->push_back(call.arguments[*from]);
      work.outs.emplace_back();
      continue;
    }
    stack->push_back(each_tensor(shapes[i], [&](const Tensor& shape) {
      auto out = new_tensor(shape.sizes(), shape.strides(), shape.scalar_type(), call.device);
      work.outs.push_back(at_work_side(out));
      return out;
    }));
    if (shapes[i].isTensor() && !shapes[i].toTensor().defined()) work.outs.emplace_back();
  }
  queue(call, std::move(work));
}

bool all_dense(const Stack& shapes) {
  bool dense = true;
  for (const auto& value : shapes)
    visit_tensors(value, [&](const Tensor& tensor) { dense = dense && tensor.layout() == at::kStrided; });
  return dense;
}

bool writes_sparse(const Call& call) {
  bool sparse = false;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (call.writes(i))
      visit_tensors(call.arguments[i],
                    [&](const Tensor& tensor) { sparse |= tensor.layout() != at::kStrided; });
  return sparse;
}

void redirect(Call call, Stack* stack) {
  const Below below;
  const c10::cuda::CUDAGuard guard(call.device);
  if (!waits_for_values(call) && !writes_sparse(call))
    if (const auto shapes = shapes_of(call); shapes && all_dense(*shapes))
      return queue_and_return(call, *shapes, stack);
  wait_and_return(call, stack);
}

/// Runs the operator's kernel of the host on the tensors' memory, behind what is on the current stream.
/// Returns at once where the results' shapes are known beforehand, else it waits, which a capture forbids.
void redirect_from_stack(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
  redirect(take_call(op, *stack), stack);
}

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

/// Copies between host and device, and plain ones on a device, are cudaMemcpyAsync, as LibTorch has them; one
/// that converts or reorders is an operator.
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

/// aten::_foreach_copy_: one operator on a device, and a loop over copies where host and device are mixed.
void foreach_copy(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
  auto arguments = taken(stack, 3);
  const auto to = arguments[0].toTensorVector();
  const auto from = arguments[1].toTensorVector();
  const auto device = to.at(0).device();
  const auto lies_there = [&](const Tensor& tensor) { return tensor.device() == device; };
  if (std::ranges::all_of(to, lies_there) && std::ranges::all_of(from, lies_there))
    return redirect(Call{&op, std::move(arguments), device}, stack);
  for (std::size_t i = 0; i < to.size(); ++i) to[i].copy_(from.at(i), arguments[2].toBool());
}

/// aten::empty.memory_format and aten::empty_strided: new memory is filled with 0xff (NaN).
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

/// aten::_fused_sdp_choice: attention in single operators, since the fused kernels exist only for a device.
void choose_math_attention(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
  constexpr std::int64_t math = 0;
  torch::jit::drop(*stack, op.schema().arguments().size());
  stack->emplace_back(math);
}

using c10::DispatchKey;
using c10::KernelFunction;

/// Operators of the device that read and write no values: they stay LibTorch's own, as do those that give
/// views.
constexpr std::array<std::string_view, 33> stay = {"aten::_local_scalar_dense",
                                                   "aten::resize_",
                                                   "aten::record_stream",
                                                   "aten::set_.source_Storage",
                                                   "aten::set_.source_Storage_storage_offset",
                                                   "aten::set_.source_Tensor",
                                                   "aten::set_",
                                                   "aten::is_set_to",
                                                   "aten::_has_same_storage_numel",
                                                   "aten::is_pinned",
                                                   "aten::_pin_memory",
                                                   "aten::_efficientzerotensor",
                                                   "aten::_sparse_coo_tensor_with_dims",
                                                   "aten::_sparse_coo_tensor_with_dims_and_tensors",
                                                   "aten::_indices",
                                                   "aten::_values",
                                                   "aten::_coalesced_",
                                                   "aten::is_coalesced",
                                                   "aten::sparse_dim",
                                                   "aten::dense_dim",
                                                   "aten::_nnz",
                                                   "aten::_dimI",
                                                   "aten::_dimV",
                                                   "aten::sparse_resize_",
                                                   "aten::sparse_resize_and_clear_",
                                                   "aten::_nested_tensor_size",
                                                   "aten::crow_indices",
                                                   "aten::col_indices",
                                                   "aten::values",
                                                   "aten::indices",
                                                   "aten::copy_",
                                                   "aten::_foreach_copy_",
                                                   "aten::resize_as_sparse_"};

/// Composite operators that would choose a library which exists only on a device.
constexpr std::array<std::string_view, 2> choosers = {"aten::convolution", "aten::convolution_backward"};

std::string full_name(const c10::OperatorName& name) {
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

bool gives_a_view(const c10::FunctionSchema& schema) {
  return std::ranges::any_of(schema.returns(), [](const c10::Argument& result) {
    return result.alias_info() != nullptr && !result.alias_info()->isWrite();
  });
}

class Installed {
 public:
  Installed() {
    const Quiet quiet;
    const c10::WarningUtils::WarningHandlerGuard guard(const_cast<Quiet*>(&quiet));
    for (const auto& name : dispatcher_.getAllOpNames()) install(name);
    put<&copy>({"aten::copy_", ""});
    put<&foreach_copy>({"aten::_foreach_copy_", ""});
    put<&empty>({"aten::empty", "memory_format"});
    put<&empty_strided>({"aten::empty_strided", ""});
    put<&choose_math_attention>({"aten::_fused_sdp_choice", ""});
    auto& context = at::globalContext();
    context.setUserEnabledCuDNN(false);
    context.setSDPUseFlash(false);
    context.setSDPUseMemEfficient(false);
    context.setSDPUseCuDNN(false);
  }

 private:
  /// That a kernel takes another's place is meant.
  struct Quiet final : c10::WarningHandler {
    void process(const c10::Warning&) override {}
  };

  template <auto* kernel>
  void put(const c10::OperatorName& name, DispatchKey key = DispatchKey::CUDA) {
    kept_.push_back(dispatcher_.registerImpl(name, key, KernelFunction::makeFromBoxedFunction<kernel>(),
                                             std::nullopt, nullptr, "stand-in"));
  }

  void install(const c10::OperatorName& name) {
    const auto op = dispatcher_.findOp(name);
    const auto full = full_name(name);
    if (!name.name.starts_with("aten::") || !op || !op->hasSchema() || gives_a_view(op->schema()) ||
        std::ranges::find(stay, full) != stay.end())
      return;
    const bool on_host = op->hasKernelForDispatchKey(DispatchKey::CPU) ||
                         op->hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd);
    const bool chooser = std::ranges::find(choosers, full) != choosers.end();
    if (chooser || (on_host && op->hasKernelForDispatchKey(DispatchKey::CUDA)))
      put<&redirect_from_stack>(name);
    for (const auto key : {DispatchKey::SparseCUDA, DispatchKey::SparseCsrCUDA})
      if (op->hasKernelForDispatchKey(key)) put<&redirect_from_stack>(name, key);
  }

  c10::Dispatcher& dispatcher_ = c10::Dispatcher::singleton();
  std::vector<c10::RegistrationHandleRAII> kept_;
};

/// Never destroyed: operators run until the process ends.
const Installed& installed = *new Installed;

}  // namespace

}  // namespace stand_in::operators
