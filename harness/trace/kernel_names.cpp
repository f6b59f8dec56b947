// What else a kernel's name tells: its arithmetic, a name that a person can read.
#include "harness/trace/kernel_parts.hpp"
#include "harness/trace/kernels.hpp"
#include "harness/trace/trace_text.hpp"

#include <cctype>

namespace harness::trace {
namespace {

/// Functions that run what their argument names, and nothing of their own.
bool runs_its_argument(std::string_view function) {
  constexpr std::array<std::string_view, 4> names{"Kernel", "Kernel2", "device_kernel", "kentry"};
  return std::ranges::find(names, function) != names.end();
}

/// "flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<2>>": FlashAttnFwdSm90.
std::string first_argument(std::string_view templates) {
  constexpr std::string_view ends = "<>, ";
  while (!templates.empty()) {
    auto word = templates.substr(0, templates.find_first_of(ends));
    templates.remove_prefix(std::min(word.size() + 1, templates.size()));
    if (const auto at = word.rfind("::"); at != word.npos) word.remove_prefix(at + 2);
    if (!word.empty() && std::isalpha(static_cast<unsigned char>(word.front())) != 0 &&
        !word.starts_with("enable_"))
      return std::string(word);
  }
  return {};
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

/// "Cijk_Alik_Bljk_BBS_BH_..." (AMD's libraries, whose products Tensile makes): the letter of the inputs'
/// type, 'b'; '\0' of other names.
char tensile_type(std::string_view name) {
  if (!name.starts_with("cijk_")) return '\0';
  for (int part = 0; part < 3; ++part) name.remove_prefix(std::min(name.find('_'), name.size() - 1) + 1);
  return name.empty() ? '\0' : name.front();
}

Arithmetic of_letter(char type) {
  switch (type) {
    case 'b':
      return Arithmetic::bf16;
    case 'h':
      return Arithmetic::fp16;
    case 's':
      return Arithmetic::fp32;
    case 'd':
      return Arithmetic::fp64;
    default:
      return Arithmetic::unknown;
  }
}

}  // namespace

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
  const auto low = in_lower_case(name);
  // Products of 16x8x8 take TF32 too, but where half precision is named: "bf16_s1688gemm_bf16", align 1.
  const bool half = has_any(low, {"f16", "fp16", "half"});
  if (has_any(low, {"tf32", "s16816gemm_f32"}) || (has_any(low, {"s1688"}) && !half)) return Arithmetic::tf32;
  // Attention of FP32 numbers on tensor cores, whatever TF32 is set to: three products in TF32 for each.
  if (low.starts_with("fmha_cutlass") && has_any(low, {"_f32_"}) &&
      !has_any(low, {"_sm50", "_sm70", "_sm75"}))
    return Arithmetic::tf32;
  if (const auto letter = tensile_type(low); letter != '\0') return of_letter(letter);
  if (has_any(low, {"bf16", "bfloat16"})) return Arithmetic::bf16;
  if (has_any(low, {"hgemm", "h884", "h1688", "h16816", "s16816", "s884", "f16", "fp16", "half", "hcudnn"}))
    return Arithmetic::fp16;
  if (has_any(low, {"dgemm", "double", "f64"})) return Arithmetic::fp64;
  if (has_any(low, {"sgemm", "scudnn", "float", "f32"})) return Arithmetic::fp32;
  return Arithmetic::unknown;
}

std::string short_kernel_name(std::string_view name) {
  if (name.starts_with("Mem")) return std::string(name);  // "Memcpy HtoD (Pageable -> Device)"
  const auto parts = name_parts(name);
  std::string plain(parts.own());
  if (runs_its_argument(plain)) plain = first_argument(parts.templates);
  if (plain.empty()) plain = name;
  const auto functor_name = functor(name);
  return functor_name.empty() || plain.find(functor_name) != plain.npos
             ? plain
             : plain + " " + std::string(functor_name);
}

}  // namespace harness::trace
