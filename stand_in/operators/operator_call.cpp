#include "stand_in/operators/operator_call.hpp"

#include "stand_in/runtime.hpp"

#include <ATen/ATen.h>
#include <ATen/SparseTensorImpl.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/EmptyTensor.h>
#include <c10/cuda/CUDAGuard.h>

#include "below.hpp"
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

namespace stand_in::operators {
namespace {

void copy_flags(const Tensor& from, const Tensor& to) {
  if (from.is_conj()) to._set_conj(true);
  if (from.is_neg()) to._set_neg(true);
  if (from.unsafeGetTensorImpl()->is_wrapped_number()) to.unsafeGetTensorImpl()->set_wrapped_number(true);
}

Tensor dense_at_work_side(const Tensor& tensor) {
  const auto bytes = tensor.storage().nbytes();
  const void* data = tensor.storage().data();
  void* base = data == nullptr || bytes == 0 ? nullptr : work_side(data);
  c10::Storage storage(c10::Storage::use_byte_size_t(), bytes,
                       at::DataPtr(base, nullptr, [](void*) {}, at::kCPU), nullptr, false);
  auto alias = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU), tensor.dtype());
  alias.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides(),
                                                     tensor.storage_offset());
  copy_flags(tensor, alias);
  return alias;
}

/// The same tensor made of other parts.
template <class Change>
Tensor rebuilt(const Tensor& tensor, const Change& change) {
  if (tensor.layout() == at::kSparse)
    return at::_sparse_coo_tensor_unsafe(change(tensor._indices()), change(tensor._values()), tensor.sizes())
        ._coalesced_(tensor.is_coalesced());
  TORCH_CHECK(tensor.layout() == at::kSparseCsr, "stand-in: no tensors of layout ", tensor.layout());
  const auto values = change(tensor.values());
  return at::_sparse_csr_tensor_unsafe(change(tensor.crow_indices()), change(tensor.col_indices()), values,
                                       tensor.sizes(), values.options().layout(at::kSparseCsr));
}

/// Operators that take a tensor of the host beside those of a device: indices are copied to the device,
/// lengths and a learning rate are read on the host.
constexpr std::array<std::string_view, 11> reads_host = {
    "aten::index",         "aten::index_put",  "aten::index_put_",    "aten::_index_put_impl_",
    "aten::_unsafe_index", "aten::ctc_loss",   "aten::_ctc_loss",     "aten::_pack_padded_sequence",
    "aten::_fused_adam_",  "aten::_cudnn_rnn", "aten::segment_reduce"};

bool may_stay_on_host(const Call& call, std::size_t argument, const Tensor& tensor) {
  if (call.writes(argument)) return false;
  if (tensor.dim() == 0 && tensor.layout() == at::kStrided) return true;
  return argument > 0 && std::ranges::find(reads_host, call.schema().name()) != reads_host.end();
}

std::optional<at::Device> device_of(const std::vector<IValue>& arguments) {
  std::optional<at::Device> found;
  for (const auto& value : arguments)
    visit_tensors(value, [&](const Tensor& tensor) {
      if (tensor.is_cuda() && !found) found = tensor.device();
    });
  for (const auto& value : arguments)
    if (!found && value.isDevice() && value.toDevice().is_cuda()) found = value.toDevice();
  return found;
}

void require_one_device(const Call& call) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    visit_tensors(call.arguments[i], [&](const Tensor& tensor) {
      if (tensor.device() == call.device || (tensor.is_cpu() && may_stay_on_host(call, i, tensor))) return;
      TORCH_CHECK(false, "Expected all tensors to be on the same device, but found at least two devices, ",
                  call.device, " and ", tensor.device(), "! (argument ", call.schema().arguments()[i].name(),
                  " of ", call.name(), ")");
    });
}

}  // namespace

IValue each_tensor(const IValue& value, const std::function<Tensor(const Tensor&)>& change) {
  if (value.isTensor()) return value.toTensor().defined() ? IValue(change(value.toTensor())) : value;
  if (value.isTensorList()) {
    c10::List<Tensor> out;
    for (const Tensor& tensor : value.toTensorVector())
      out.push_back(tensor.defined() ? change(tensor) : tensor);
    return out;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<Tensor>> out;
    for (const std::optional<Tensor>& tensor : value.toOptionalTensorVector())
      out.push_back(tensor && tensor->defined() ? std::optional(change(*tensor)) : tensor);
    return out;
  }
  return value;
}

void visit_tensors(const IValue& value, const std::function<void(const Tensor&)>& look) {
  const auto look_at = [&](const Tensor& tensor) {
    if (tensor.defined()) look(tensor);
  };
  if (value.isTensor()) return look_at(value.toTensor());
  if (value.isTensorList())
    for (const Tensor& tensor : value.toTensorVector()) look_at(tensor);
  if (value.isOptionalTensorList())
    for (const std::optional<Tensor>& tensor : value.toOptionalTensorVector())
      if (tensor) look_at(*tensor);
}

Tensor at_work_side(const Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_cuda()) return tensor;
  return tensor.layout() == at::kStrided ? dense_at_work_side(tensor) : rebuilt(tensor, at_work_side);
}

Tensor kept(const Tensor& tensor) {
  if (!tensor.defined() || tensor.is_cuda()) return at_work_side(tensor);
  auto copy = tensor.clone();
  copy_flags(tensor, copy);
  return copy;
}

void poison(const Tensor& tensor) {
  const auto bytes = tensor.storage().nbytes();
  if (bytes == 0) return;
  const auto stream = at::cuda::getCurrentCUDAStream(tensor.device().index());
  void* at = work_side(tensor.storage().data());
  C10_CUDA_CHECK(submit_unseen(stream.stream(), [at, bytes] { std::memset(at, 0xff, bytes); }));
}

Tensor new_tensor(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type, at::Device device) {
  Tensor out = at::detail::empty_strided_cuda(sizes, strides, type, device);
  poison(out);
  return out;
}

void queue_copy(const Tensor& to, Tensor from) {
  if (from.numel() == 0) return;
  const c10::cuda::CUDAGuard guard(to.device());
  const auto stream = at::cuda::getCurrentCUDAStream(to.device().index());
  C10_CUDA_CHECK(submit_unseen(stream.stream(), [alias = at_work_side(to), from = std::move(from)]() mutable {
    const Below below;
    alias.copy_(from);
  }));
}

Tensor onto_device(const Tensor& result, at::Device device) {
  if (!result.defined()) return result;
  if (result.layout() != at::kStrided)
    return rebuilt(result, [&](const Tensor& part) { return onto_device(part, device); });
  const auto plain = result.resolve_conj().resolve_neg();
  auto out = new_tensor(plain.sizes(), plain.strides(), plain.scalar_type(), device);
  queue_copy(out, plain);
  return out;
}

std::string Call::name() const {
  const auto& overload = schema().overload_name();
  return schema().name() + (overload.empty() ? "" : "." + overload);
}

bool Call::writes(std::size_t argument) const {
  const auto* alias = schema().arguments()[argument].alias_info();
  return alias != nullptr && alias->isWrite();
}

std::optional<std::size_t> Call::argument_of(std::size_t i) const {
  const auto* result = schema().returns()[i].alias_info();
  if (result == nullptr || !result->isWrite()) return std::nullopt;
  for (std::size_t argument = 0; argument < schema().arguments().size(); ++argument) {
    const auto* alias = schema().arguments()[argument].alias_info();
    if (alias != nullptr && alias->beforeSet() == result->beforeSet()) return argument;
  }
  return std::nullopt;
}

bool Call::dense() const {
  bool all = true;
  for (const auto& value : arguments)
    visit_tensors(value, [&](const Tensor& tensor) { all = all && tensor.layout() == at::kStrided; });
  return all;
}

Call take_call(const c10::OperatorHandle& op, Stack& stack) {
  const auto count = static_cast<std::ptrdiff_t>(op.schema().arguments().size());
  Call call{.op = &op, .arguments = {stack.end() - count, stack.end()}};
  stack.erase(stack.end() - count, stack.end());
  auto device = device_of(call.arguments).value_or(at::Device(at::kCUDA, -1));
  if (!device.has_index()) device.set_index(c10::cuda::current_device());
  call.device = device;
  require_one_device(call);
  return call;
}

}  // namespace stand_in::operators
