// What operators of the host do, by their names.
#include "harness/trace/host_use.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace harness::trace {
namespace {

/// ATen's products, without "aten::".
constexpr auto products = std::to_array<std::string_view>(
    {"mm", "addmm", "_addmm_activation", "bmm", "baddbmm", "addbmm", "matmul", "linear", "einsum", "_int_mm",
     "_scaled_mm", "mkldnn_linear", "mkldnn_linear_backward", "_mkl_linear", "bilinear", "_trilinear",
     "inner", "tensordot"});

/// Convolutions, attention and recurrent layers, by a part of the name.
constexpr auto product_words =
    std::to_array<std::string_view>({"convolution", "conv1d", "conv2d", "conv3d", "conv_transpose",
                                     "conv_depthwise", "attention", "rnn_layer"});

/// ATen's operators that only look at their tensor in another way.
constexpr auto views = std::to_array<std::string_view>({"t",
                                                        "transpose",
                                                        "permute",
                                                        "as_strided",
                                                        "as_strided_",
                                                        "view",
                                                        "reshape",
                                                        "_unsafe_view",
                                                        "flatten",
                                                        "expand",
                                                        "expand_as",
                                                        "select",
                                                        "slice",
                                                        "narrow",
                                                        "unbind",
                                                        "split",
                                                        "chunk",
                                                        "squeeze",
                                                        "unsqueeze",
                                                        "detach",
                                                        "detach_",
                                                        "alias",
                                                        "lift_fresh",
                                                        "resolve_conj",
                                                        "resolve_neg",
                                                        "result_type",
                                                        "item",
                                                        "is_nonzero",
                                                        "_local_scalar_dense"});

bool has_one(std::string_view name, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != name.npos; });
}

/// "AddmmBackward0": the frame of a backward formula around the operators that do the work.
bool is_backward_frame(std::string_view name) {
  const auto end = name.find_last_not_of("0123456789");
  return end != name.npos && name.substr(0, end + 1).ends_with("Backward");
}

}  // namespace

HostWork host_work(std::string_view name) {
  constexpr std::array<std::string_view, 5> communicating{
      "c10d::", "gloo:", "mpi:", "nccl:", "record_param_comms"};
  if (std::ranges::any_of(communicating, [&](std::string_view word) { return name.starts_with(word); }))
    return HostWork::communication;
  constexpr std::string_view aten = "aten::";
  if (!name.starts_with(aten)) {
    const bool named = name.find("::") != name.npos;  // PyTorch's own have their namespace left out: "detach"
    const bool frame =
        name.starts_with("autograd::") || name.starts_with("torch::autograd::") || is_backward_frame(name);
    return named && !frame ? HostWork::unknown : HostWork::calling;
  }
  name.remove_prefix(aten.size());
  if (std::ranges::find(views, name) != views.end()) return HostWork::calling;
  const bool product = std::ranges::find(products, name) != products.end() || has_one(name, product_words);
  return product ? HostWork::product : HostWork::moving;
}

}  // namespace harness::trace
