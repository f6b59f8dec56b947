#include "stand_in/operators/tensors.hpp"

#include "stand_in/runtime.hpp"

#include <ATen/ATen.h>
#include <ATen/SparseTensorImpl.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/EmptyTensor.h>
#include <c10/cuda/CUDAGuard.h>

#include "below.hpp"
#include <cstring>
#include <utility>
#include <vector>

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

}  // namespace stand_in::operators
