#include "harness/simulate/profiler_names.hpp"

#include "harness/trace/kernels.hpp"

#include <fmt/format.h>

#include <string_view>

namespace harness::simulate {
namespace {

std::string copy_name(const Entry& copy) {
  const auto* host = copy.pageable ? "Pageable" : "Pinned";
  if (copy.way == "h2d") return fmt::format("Memcpy HtoD ({} -> Device)", host);
  if (copy.way == "d2h") return fmt::format("Memcpy DtoH (Device -> {})", host);
  return "Memcpy DtoD (Device -> Device)";
}

/// As libraries name such kernels: the beginning says the type.
std::string_view product_word(const Entry& kernel, bool convolution) {
  if (kernel.unit == "sparse_product") return "spgemm";
  if (kernel.unit == "tf32") return convolution ? "tf32_conv2d" : "tf32_gemm";
  if (kernel.unit == "fp16") return convolution ? "hcudnn_conv2d" : "hgemm";
  return convolution ? "scudnn_conv2d" : "sgemm";
}

std::string operator_kernel_name(const Entry& kernel) {
  std::string_view name = kernel.name;
  if (name.starts_with("aten::")) name.remove_prefix(6);
  const bool convolution = name.find("conv") != name.npos;
  if (kernel.flop > 0 || convolution) return fmt::format("{}_of_{}", product_word(kernel, convolution), name);
  if (trace::kernel_kind(name) != trace::KernelKind::other) return kernel.name;
  if (kernel.reduction) return fmt::format("reduce_kernel_of_{}", name);
  if (name.starts_with("cat")) return "CatArrayBatchedCopy";
  return fmt::format("elementwise_kernel_of_{}", name);
}

}  // namespace

std::string profiler_name(const Entry& entry) {
  if (entry.does == Entry::Does::copy) return copy_name(entry);
  if (entry.is_operator) return operator_kernel_name(entry);
  return entry.name.starts_with("cudaMemset") ? "Memset (Device)" : entry.name;
}

}  // namespace harness::simulate
