#include "stand_in/operators/call.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace stand_in::operators {
namespace {

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

bool Call::has_new_results() const {
  for (std::size_t i = 0; i < schema().returns().size(); ++i)
    if (!argument_of(i)) return true;
  return false;
}

bool Call::has_out() const {
  return std::ranges::any_of(schema().arguments(), [](const c10::Argument& a) { return a.is_out(); });
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
