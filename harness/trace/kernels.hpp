// What the kernels are, how long they run, and how the device's time divides among them.
#pragma once

#include "harness/trace/efforts.hpp"
#include "harness/trace/trace.hpp"

#include <array>

namespace harness::trace {

/// What a kernel does, told by its name.
enum class KernelKind : std::uint8_t {
  matrix_product,
  convolution,
  attention,
  pointwise,
  normalization,
  reduction,
  indexing,       // gather, scatter, concatenation, sorting, embeddings
  matrix_vector,  // as many bytes as FLOP, whatever the name promises
  communication,
  other  // the name tells nothing
};
inline constexpr std::size_t kernel_kind_count = 10;
KernelKind kernel_kind(std::string_view name);
std::string_view to_string(KernelKind kind);

/// True for the kinds that do many FLOP per byte: products, convolutions, attention.
bool is_product(KernelKind kind);

/// True for products and attention that move more than they compute, told by the name: a tile with a side of
/// 16 or less ("gemm_bf16_16x16_128x2", "nvjet_tst_64x8_64x16"), cuBLAS's kernels of few columns, attention
/// of one query ("paged_attention_v1_kernel").
bool has_few_rows(std::string_view name);

/// The arithmetic that the name tells: "ampere_sgemm" is FP32, "s1688gemm" TF32, "h16816gemm" FP16.
Arithmetic kernel_arithmetic(std::string_view name);

/// All kernels of one name.
struct KernelRow {
  std::string name;
  NameId name_id = 0;
  KernelKind kind = KernelKind::other;
  std::int64_t count = 0;
  double us = 0;
  double longest_us = 0;
};

/// Kernels of one class of duration.
struct DurationClass {
  double below_us = 0;  // upper bound; 0: none
  std::int64_t count = 0;
  double us = 0;
};

/// A kernel below this is tiny: it runs no longer than the host needs to launch it (docs/diagnose.md).
inline constexpr double tiny_us = 10;

struct KernelSummary {
  std::vector<KernelRow> rows;                      // by falling time
  std::array<double, kernel_kind_count> kind_us{};  // by KernelKind
  std::vector<DurationClass> durations;
  std::int64_t count = 0;
  double us = 0;  // sum
  double median_us = 0;
  double tiny_share = 0;  // of the number of kernels, below tiny_us
  double per_ms = 0;      // kernels launched per millisecond of the device's span

  double share(KernelKind kind) const { return us > 0 ? kind_us[static_cast<std::size_t>(kind)] / us : 0; }
  /// Share of products, convolutions and attention in the time of all kernels but those of communication.
  double product_share() const;
};

/// `inside` restricts the summary to those events; empty: all.
KernelSummary kernel_summary(const Trace& trace, const std::vector<bool>& inside = {});

/// "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, ...>(int, ...)" without
/// return type, arguments and namespaces of PyTorch: a name that a person can read.
std::string short_kernel_name(std::string_view name);

}  // namespace harness::trace
