// What else a kernel's name tells: its arithmetic, a name that a person can read.
#include "harness/trace/kernel_rules.hpp"

#include "harness/trace/trace_text.hpp"

#include <cctype>
#include <charconv>

namespace harness::trace {
namespace {

KernelKind kind_of_word(std::string_view word) {
  for (std::size_t i = 0; i < kernel_kind_count; ++i)
    if (to_string(static_cast<KernelKind>(i)) == word) return static_cast<KernelKind>(i);
  throw std::logic_error("kernel_kinds.tsv has the kind " + std::string(word));
}

std::vector<KernelWord> words_of(std::string_view part) {
  std::vector<KernelWord> words;
  while (!part.empty()) {
    auto text = taken(part, '*');
    const bool begins = text.starts_with('|');
    if (begins) text.remove_prefix(1);
    const bool ends = text.ends_with('|');
    if (ends) text.remove_suffix(1);
    words.push_back({text, begins, ends});
  }
  return words;
}

std::vector<KernelRule> read_rules(std::string_view text) {
  std::vector<KernelRule> table;
  bool last = false;
  while (!text.empty()) {
    auto line = taken(text, '\n');
    if (line == "last") last = true;
    if (line.empty() || line.starts_with('#') || line == "last") continue;
    const auto part = taken(line, '\t');
    const auto kind = taken(line, '\t');
    table.push_back({words_of(part), kind_of_word(kind), line, last});
  }
  return table;
}

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_small(c) || is_capital(c); }

/// A part of a name as it is written, and in lower case.
struct Spelled {
  std::string_view written;
  std::string low;

  /// True if a word ends there, or the name: "Add|RMS|Norm|Kernel", "my|_|norm|2|d".
  bool is_edge(std::size_t at) const {
    if (at == 0 || at >= written.size()) return true;
    const char before = written[at - 1];
    const char behind = written[at];
    if (!is_letter(before) || !is_letter(behind)) return true;
    if (is_small(before)) return is_capital(behind);
    return is_capital(behind) && at + 1 < written.size() && is_small(written[at + 1]);
  }

  /// The end of the first such word from there on.
  std::size_t behind(const KernelWord& word, std::size_t from) const {
    auto at = low.find(word.text, from);
    while (at != low.npos &&
           ((word.begins && !is_edge(at)) || (word.ends && !is_edge(at + word.text.size()))))
      at = low.find(word.text, at + 1);
    return at == low.npos ? at : at + word.text.size();
  }
};

bool stands_in(const Spelled& text, const KernelRule& rule) {
  std::size_t at = 0;
  for (const auto& word : rule.words)
    if (at = text.behind(word, at); at == std::string::npos) return false;
  return true;
}

}  // namespace

const std::vector<KernelRule>& kernel_rules() {
  static const auto rules = read_rules(kernel_kinds());
  return rules;
}

const KernelRule* kernel_rule(std::string_view name) {
  const auto parts = name_parts(name);
  std::array<Spelled, 3> texts{{{parts.own(), {}}, {parts.qualified, {}}, {parts.templates, {}}}};
  for (auto& text : texts) text.low = in_lower_case(text.written);
  for (const bool last : {false, true})
    for (const auto& text : texts)
      for (const auto& rule : kernel_rules())
        if (rule.last == last && stands_in(text, rule)) return &rule;
  return nullptr;
}

KernelKind kernel_kind(std::string_view name) {
  const auto* rule = kernel_rule(name);
  return rule == nullptr ? KernelKind::other : rule->kind;
}

namespace {

bool is_decimal(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The number that begins there; no larger than the name is long. `at` goes behind it.
std::size_t number_at(std::string_view name, std::size_t& at) {
  std::size_t number = 0;
  for (; at < name.size() && is_decimal(name[at]); ++at)
    number = std::min(number * 10 + static_cast<std::size_t>(name[at] - '0'), name.size());
  return number;
}

/// "_ZN5space8functionIN5other1tELi7EEvv": lengths stand before names; the first other letter behind a name
/// begins the arguments, where a number behind E or behind L and a type is a value.
NameParts mangled_parts(std::string_view name) {
  NameParts parts;
  bool in_arguments = false;
  for (auto at = std::min(name.find_first_of("0123456789"), name.size()); at < name.size();) {
    if (!is_decimal(name[at])) {
      in_arguments = true;
      ++at;
      continue;
    }
    const bool value = in_arguments && (name[at - 1] == 'E' || name[at - 2] == 'L');
    const auto length = number_at(name, at);
    if (value) continue;
    (in_arguments ? parts.templates += ", " : parts.qualified += "::") += name.substr(at, length);
    at = std::min(at + length, name.size());
  }
  return parts;
}

NameParts written_parts(std::string_view name) {
  constexpr std::string_view anonymous = "(anonymous namespace)";
  const bool code = name.find_first_of("<(") != name.npos;  // else a blank is part of the name
  NameParts parts;
  int depth = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (c == '>' && depth > 0) --depth;
    if (depth > 0) {
      parts.templates += c;
    } else if (name.substr(at).starts_with(anonymous)) {
      at += anonymous.size() - 1;
    } else if (c == '(') {
      break;
    } else if (c == ' ' && code) {
      parts = {};  // that was the return type
    } else if (c != '<' && c != '>') {
      parts.qualified += c;
    }
    if (c == '<') ++depth;
  }
  return parts;
}

}  // namespace

std::string_view NameParts::own() const {
  const auto at = qualified.rfind("::");
  return std::string_view(qualified).substr(at == qualified.npos ? 0 : at + 2);
}

NameParts name_parts(std::string_view kernel) {
  if (kernel.ends_with(".kd")) kernel.remove_suffix(3);  // a kernel descriptor of AMD's
  if (kernel.starts_with("std::enable_if"))              // what it enables is the function
    if (const auto at = kernel.find("::type "); at != kernel.npos) kernel.remove_prefix(at + 7);
  kernel = kernel.substr(0, kernel.find("_object_at_"));  // CuTe's Python writes the arguments behind it
  return kernel.starts_with("_Z") ? mangled_parts(kernel) : written_parts(kernel);
}

std::string in_lower_case(std::string_view text) {
  std::string low(text);
  for (auto& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return low;
}

namespace {

/// Functions that run what their argument names, and nothing of their own.
bool runs_its_argument(std::string_view function) {
  return is_any(function, {"Kernel", "Kernel2", "device_kernel", "kentry"});
}

/// Namespaces of cutlass, whose mangled names do not tell them from types.
bool is_namespace(std::string_view word) {
  return is_any(word, {"gemm", "conv", "kernel", "device", "collective", "detail"});
}

/// "flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<2>>": FlashAttnFwdSm90.
std::string first_argument(std::string_view templates) {
  constexpr std::string_view ends = "<>, ";
  while (!templates.empty()) {
    auto word = templates.substr(0, templates.find_first_of(ends));
    templates.remove_prefix(std::min(word.size() + 1, templates.size()));
    if (const auto at = word.rfind("::"); at != word.npos) word.remove_prefix(at + 2);
    if (!word.empty() && std::isalpha(static_cast<unsigned char>(word.front())) != 0 &&
        !word.starts_with("enable_") && !is_namespace(word))
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
  for (int part = 0; part < 3; ++part) taken(name, '_');
  return name.empty() ? '\0' : name.front();
}

Arithmetic of_letter(char type) {
  if (type == 'b') return Arithmetic::bf16;
  if (type == 'h') return Arithmetic::fp16;
  if (type == 's') return Arithmetic::fp32;
  return type == 'd' ? Arithmetic::fp64 : Arithmetic::unknown;
}

/// "gemvx::kernel" of "internal::gemvx::kernel", where the function's own name says nothing.
std::string qualified_by_one(std::string_view qualified) {
  const auto own = qualified.rfind("::");
  if (own == qualified.npos || own == 0) return std::string(qualified);
  const auto space = qualified.rfind("::", own - 1);
  return std::string(qualified.substr(space == qualified.npos ? 0 : space + 2));
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

namespace {

/// Of the tile of results that a block makes, which is the first pair in a name: "gemm_bf16_16x16_128x2",
/// "tilesize128x64x8", "_MT64x16x32_", "_t128x16x256u2"; 0 where there is none.
int shorter_side(std::string_view low) {
  const auto* end = low.data() + low.size();
  for (auto cross = low.find('x'); cross != low.npos; cross = low.find('x', cross + 1)) {
    auto from = cross;
    while (from > 0 && is_decimal(low[from - 1])) --from;
    const auto before = low.substr(0, from);
    const bool named = before.ends_with('_') || before.ends_with("_t") || before.ends_with("_mt") ||
                       before.ends_with("tilesize");
    int rows = 0;
    int columns = 0;
    std::from_chars(low.data() + from, end, rows);
    std::from_chars(low.data() + cross + 1, end, columns);
    if (named && rows > 0 && columns > 0) return std::min(rows, columns);
  }
  return 0;
}

/// Of m x n results each value read costs a block 2 / (1/m + 1/n) FLOP: below 16 per byte of half precision
/// where a side is that short, however near its matrices lie. Units for narrow types are faster than any
/// cache brings that; those for FP32 are not.
constexpr int short_side = 16;

}  // namespace

bool has_few_rows(std::string_view name) {
  const auto low = in_lower_case(name);
  const auto kind = kernel_kind(name);
  // One query reads each key and value for itself; where heads share them (MLA) it does not.
  if (kind == KernelKind::attention)
    return has_any(low, {"decode", "paged_attention_"}) && !has_any(low, {"mla", "sparse"});
  if (kind != KernelKind::matrix_product) return false;
  if (has_any(low, {"gemmsn_", "gemmk1_"})) return true;
  const auto arithmetic = kernel_arithmetic(name);
  const auto side = shorter_side(low);
  return side > 0 && side <= short_side && arithmetic != Arithmetic::fp32 && arithmetic != Arithmetic::fp64;
}

std::string short_kernel_name(std::string_view name) {
  if (name.starts_with("Mem")) return std::string(name);  // "Memcpy HtoD (Pageable -> Device)"
  const auto parts = name_parts(name);
  std::string plain(parts.own());
  if (runs_its_argument(plain)) plain = first_argument(parts.templates);
  if (plain == "kernel") plain = qualified_by_one(parts.qualified);
  if (plain.empty()) plain = name;
  const auto functor_name = functor(name);
  return functor_name.empty() || plain.find(functor_name) != plain.npos
             ? plain
             : plain + " " + std::string(functor_name);
}

}  // namespace harness::trace
