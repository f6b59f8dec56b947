#include "harness/libtorch/operator_call.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <sstream>
#include <stdexcept>
#include <utility>

namespace harness::inline libtorch {
namespace {

const char* name_of(at::Float32MatmulPrecision precision) {
  if (precision == at::Float32MatmulPrecision::HIGH) return "high";
  return precision == at::Float32MatmulPrecision::MEDIUM ? "medium" : "highest";
}

void describe(std::ostream& out, const at::Tensor& tensor) {
  if (!tensor.defined()) {
    out << "none";
    return;
  }
  out << c10::toString(tensor.scalar_type()) << tensor.sizes();
  if (tensor.layout() == at::kStrided) out << '/' << tensor.strides();
  if (tensor.layout() == at::kSparse)
    out << '#' << tensor._nnz() << (tensor.is_coalesced() ? " coalesced" : "");
  if (tensor.requires_grad()) out << "+gradient";
}

/// Numbers with a fraction are left out: a learning rate changes no work.
void describe(std::ostream& out, const c10::IValue& value) {
  if (value.isTensor()) {
    describe(out, value.toTensor());
  } else if (value.isList()) {
    out << '(';
    for (const c10::IValue& element : value.toListRef()) {
      describe(out, element);
      out << ',';
    }
    out << ')';
  } else if (value.isInt() || value.isBool() || value.isString() || value.isDevice()) {
    out << value;
  } else {
    out << value.tagKind();
  }
}

std::string work_of(const c10::OperatorName& name, at::ArrayRef<const c10::IValue> inputs,
                    const OperatorSettings& settings) {
  std::ostringstream out;
  out << name;
  for (const auto& input : inputs) {
    out << ' ';
    describe(out, input);
  }
  out << (settings.gradients ? " gradients" : "") << (settings.inference ? " inference" : "") << ' '
      << settings.threads << ' ' << name_of(settings.precision);
  if (settings.autocast) out << ' ' << c10::toString(*settings.autocast);
  return out.str();
}

/// A sparse tensor that is only read.
bool is_sparse_input(const at::Tensor& tensor, const std::vector<WrittenInput>* written) {
  return tensor.layout() == at::kSparse && tensor.device().is_cpu() && written == nullptr;
}

}  // namespace

OperatorSettings settings_now() {
  OperatorSettings settings{.gradients = c10::GradMode::is_enabled(),
                            .inference = c10::InferenceMode::is_enabled(),
                            .autocast = {},
                            .threads = at::get_num_threads(),
                            .precision = at::globalContext().float32MatmulPrecision()};
  if (at::autocast::is_autocast_enabled(at::kCPU))
    settings.autocast = at::autocast::get_autocast_dtype(at::kCPU);
  return settings;
}

void apply(const OperatorSettings& settings) {
  c10::GradMode::set_enabled(settings.gradients);
  at::autocast::set_autocast_enabled(at::kCPU, settings.autocast.has_value());
  if (settings.autocast) at::autocast::set_autocast_dtype(at::kCPU, *settings.autocast);
  if (settings.threads != at::get_num_threads()) at::set_num_threads(settings.threads);
  at::globalContext().setFloat32MatmulPrecision(name_of(settings.precision));
}

c10::IValue InputCopies::of(const c10::IValue& value, std::vector<WrittenInput>* written) {
  if (value.isTensor()) return of(value.toTensor(), written);
  if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(of(tensor, written));
    return list;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> list;
    for (const std::optional<at::Tensor> tensor : value.toOptionalTensorList())
      list.push_back(tensor ? std::optional(of(*tensor, written)) : std::nullopt);
    return list;
  }
  if (value.isList()) return value.deepcopy();
  return value;
}

at::Tensor InputCopies::of(const at::Tensor& tensor, std::vector<WrittenInput>* written) {
  if (!tensor.defined()) return tensor;
  if (is_sparse_input(tensor, written)) return sparse_copy(tensor);
  if (tensor.layout() != at::kStrided || tensor.is_quantized() || !tensor.device().is_cpu())
    throw std::invalid_argument("a tensor is not an ordinary one of the host");
  std::ostringstream text;
  describe(text, tensor);
  const bool shared = at::isFloatingType(tensor.scalar_type()) && written == nullptr;
  if (shared)
    if (const auto found = shared_.find(text.str()); found != shared_.end()) return found->second;
  const auto copy = copied(tensor, written == nullptr);
  if (written != nullptr) written->push_back({copy, copied(tensor, false)});
  if (shared) shared_.emplace(text.str(), copy);
  return copy;
}

void InputCopies::take(std::int64_t bytes) {
  if (bytes > left_) throw std::invalid_argument("its inputs are too large to keep");
  left_ -= bytes;
}

at::Tensor InputCopies::sparse_copy(const at::Tensor& tensor) {
  const c10::NoGradGuard without_gradients;
  take(static_cast<std::int64_t>(tensor._indices().nbytes() + tensor._values().nbytes()));
  auto copy = tensor.detach().clone();
  if (tensor.requires_grad()) copy.requires_grad_(true);
  return copy;
}

at::Tensor InputCopies::copied(const at::Tensor& tensor, bool with_gradient) {
  const c10::NoGradGuard without_gradients;
  std::int64_t span = tensor.numel() > 0 ? 1 : 0;
  for (int axis = 0; span > 0 && axis < tensor.dim(); ++axis)
    span += (tensor.size(axis) - 1) * tensor.stride(axis);
  take(span * static_cast<std::int64_t>(tensor.element_size()));
  const auto flat = tensor.detach().as_strided({span}, {1}, tensor.storage_offset()).clone();
  // No view of it: what is written to later may be none that was made without gradients.
  auto copy = at::empty({0}, tensor.options()).set_(flat.storage(), 0, tensor.sizes(), tensor.strides());
  if (tensor.requires_grad() && with_gradient) copy.requires_grad_(true);
  return copy;
}

OperatorCall operator_call(const c10::OperatorHandle& op, at::ArrayRef<const c10::IValue> inputs,
                           InputCopies& copies) {
  OperatorCall call{.op = op, .settings = settings_now()};
  call.work = work_of(op.operator_name(), inputs, call.settings);
  try {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto* alias = op.schema().arguments()[i].alias_info();
      const bool written = alias != nullptr && alias->isWrite();
      call.inputs.push_back(copies.of(inputs[i], written ? &call.written : nullptr));
    }
  } catch (const std::exception& error) {
    call.reason = op.operator_name().name + ": " + error.what();
  }
  return call;
}

}  // namespace harness::inline libtorch
