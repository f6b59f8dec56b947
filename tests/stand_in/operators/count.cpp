#include "tests/stand_in/operators/count.hpp"

#include <ATen/ATen.h>
#include <ATen/Context.h>

#include <string_view>

namespace stand_in::operators {
namespace {

std::size_t bytes_in(const Tensor& tensor) {
  if (tensor.layout() == at::kSparse) return tensor._indices().nbytes() + tensor._values().nbytes();
  return tensor.layout() == at::kStrided ? tensor.nbytes() : 0;
}

std::vector<Tensor> dense_tensors(const Call& call) {
  std::vector<Tensor> all;
  for (const auto& value : call.arguments)
    if (value.isTensor() && value.toTensor().defined() && value.toTensor().layout() == at::kStrided)
      all.push_back(value.toTensor());
  return all;
}

/// Rows of the first times columns of the second times what they share, twice.
double product(const Tensor& left, const Tensor& right) {
  return 2.0 * static_cast<double>(left.numel()) * static_cast<double>(right.size(-1));
}

/// Each weight meets each place of the output once: (batch, channels, places...) by (out, in, window...).
double convolution(const Tensor& output, const Tensor& weight) {
  const auto places = static_cast<double>(output.numel()) / static_cast<double>(output.size(1));
  return 2.0 * places * static_cast<double>(weight.numel());
}

double flop_of(const Call& call, const std::vector<Tensor>& results) {
  const std::string_view name = call.schema().name();
  const auto tensors = dense_tensors(call);
  if ((name == "aten::mm" || name == "aten::bmm") && tensors.size() >= 2)
    return product(tensors[0], tensors[1]);
  if ((name == "aten::addmm" || name == "aten::baddbmm" || name == "aten::_addmm_activation") &&
      tensors.size() >= 3)
    return product(tensors[1], tensors[2]);
  if ((name == "aten::convolution" || name == "aten::_convolution" ||
       name == "aten::convolution_overrideable") &&
      tensors.size() >= 2 && !results.empty() && results[0].defined())
    return convolution(results[0], tensors[1]);
  return 0;
}

std::string unit_of(const Call& call) {
  const auto type = dense_tensors(call).front().scalar_type();
  if (type == at::kHalf || type == at::kBFloat16) return "fp16";
  return at::globalContext().allowTF32CuBLAS() ? "tf32" : "fp32";
}

std::size_t bytes_of(const Stack& arguments, const std::vector<Tensor>& results) {
  std::size_t bytes = 0;
  const auto add = [&](const Tensor& tensor) {
    if (tensor.defined()) bytes += bytes_in(tensor);
  };
  for (const auto& value : arguments) visit_tensors(value, add);
  for (const auto& tensor : results) add(tensor);
  return bytes;
}

}  // namespace

Command counted(const Call& call, const std::vector<Tensor>& results) {
  Command command{.what = "operator", .name = call.name(), .bytes = bytes_of(call.arguments, results)};
  command.flop = flop_of(call, results);
  if (command.flop > 0) command.unit = unit_of(call);
  return command;
}

}  // namespace stand_in::operators
