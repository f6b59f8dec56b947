// What a kernel's name tells: the kind of its work, its arithmetic, a name that a person can read.
#include "harness/trace/kernels.hpp"
#include "harness/trace/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace harness::trace {
namespace {

std::string lowered(std::string_view text) {
  std::string low(text);
  for (auto& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return low;
}

/// The text without what stands between the brackets of that kind, and without them.
std::string without_brackets(std::string_view text, char open, char close) {
  std::string out;
  int depth = 0;
  for (const char c : text) {
    if (c == open) ++depth;
    if (depth == 0) out += c;
    if (c == close && depth > 0) --depth;
  }
  return out;
}

/// The functor of a PyTorch kernel says what it computes: "AddFunctor", "threshold_kernel".
std::string_view functor(std::string_view name) {
  for (const std::string_view mark : {"Functor", "_kernel_cuda", "_kernel_impl", "FunctorOnSelf"}) {
    auto at = name.find(mark);
    if (at == name.npos) continue;
    const auto end = at + (mark == "Functor" ? mark.size() : 0);
    while (at > 0 && (std::isalnum(static_cast<unsigned char>(name[at - 1])) != 0 || name[at - 1] == '_'))
      --at;
    if (at < end && name.substr(at, end - at) != "gpu") return name.substr(at, end - at);
  }
  return {};
}

}  // namespace

KernelKind kernel_kind(std::string_view name) {
  using enum KernelKind;
  const auto low = lowered(name);
  if (low.starts_with("nccl") || low.starts_with("rccl") || has_any(low, {"ncclkernel", "nccldevkernel"}))
    return communication;
  // PyTorch's own templates first: the functor inside may be called anything.
  if (has_any(low, {"elementwise_kernel", "multi_tensor_apply", "triton_poi", "fillfunctor"}))
    return pointwise;
  if (has_any(low, {"::reduce_kernel<", "triton_red", "splitkreduce"})) return reduction;
  if (low.starts_with("triton_tem"))  // Inductor's templates: products, convolutions, attention
    return low.find("conv") != low.npos        ? convolution
           : low.find("attention") != low.npos ? attention
                                               : matrix_product;
  if (has_any(low, {"flash", "fmha", "attention", "mha_fwd", "mha_bwd"})) return attention;
  if (has_any(low, {"bn_fw", "bn_bw", "batch_norm", "batchnorm", "layer_norm", "layernorm", "group_norm",
                    "rowwisemoments", "softmax", "rms_norm", "triton_per"}))
    return normalization;
  if (has_any(low, {"nchwtonhwc", "nhwctonchw", "nhwctofolded", "scalepackedtensor"})) return indexing;
  if (has_any(low, {"scudnn", "hcudnn", "convolve", "winograd", "wgrad", "dgrad", "fprop", "conv2d", "conv3d",
                    "conv_depthwise", "implicit_gemm", "fft2d", "miopen"}))
    return convolution;
  if (has_any(low, {"gemv", "dot_kernel"})) return matrix_vector;
  if (has_any(low, {"gemm", "cutlass", "cijk_", "matmul", "xmma", "triton_mm", "nvjet"}))
    return matrix_product;
  if (has_any(low, {"index", "gather", "scatter", "embedding", "catarray", "sort", "permute", "copy",
                    "unique", "cub::", "transpose"}))
    return indexing;
  if (has_any(low, {"reduce", "pool", "sum", "norm"})) return reduction;
  return other;
}

std::string_view to_string(KernelKind kind) {
  constexpr std::array names{"matrix products", "convolutions", "attention",        "pointwise",
                             "normalization",   "reductions",   "indexing, layout", "matrix-vector",
                             "communication",   "other"};
  return names[static_cast<std::size_t>(kind)];
}

bool is_product(KernelKind kind) {
  return kind == KernelKind::matrix_product || kind == KernelKind::convolution ||
         kind == KernelKind::attention;
}

Arithmetic kernel_arithmetic(std::string_view name) {
  const auto low = lowered(name);
  if (has_any(low, {"tf32", "s1688", "s16816gemm_f32"})) return Arithmetic::tf32;
  if (has_any(low, {"bf16", "bfloat16"})) return Arithmetic::bf16;
  if (has_any(low, {"hgemm", "h884", "h1688", "h16816", "s16816", "s884", "f16", "fp16", "half", "hcudnn"}))
    return Arithmetic::fp16;
  if (has_any(low, {"dgemm", "double", "f64"})) return Arithmetic::fp64;
  if (has_any(low, {"sgemm", "scudnn", "float", "f32", "_sb_"})) return Arithmetic::fp32;
  return Arithmetic::unknown;
}

std::string short_kernel_name(std::string_view name) {
  const auto functor_name = std::string(functor(name));
  auto plain = without_brackets(name, '<', '>');
  if (const auto at = plain.find("(anonymous namespace)::"); at != plain.npos) plain.erase(at, 23);
  const bool call = plain.ends_with(')') && !plain.starts_with("Mem");
  if (call) plain = plain.substr(0, plain.find('('));
  if (plain.starts_with("void ")) plain.erase(0, 5);
  if (const auto at = plain.rfind("::"); at != plain.npos) plain.erase(0, at + 2);
  if (plain == "Kernel" || plain == "Kernel2") {  // CUTLASS keeps the name in its argument
    const auto open = name.find('<');
    plain = std::string(name.substr(open + 1, name.find_first_of(">,", open) - open - 1));
  }
  if (plain.empty()) plain = std::string(name);
  return functor_name.empty() || plain.find(functor_name) != plain.npos ? plain : plain + " " + functor_name;
}

}  // namespace harness::trace
