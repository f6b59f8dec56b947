// What operators of the host do, by their names.
#include "harness/trace/host_use.hpp"
#include "harness/trace/kernels.hpp"
#include "harness/trace/trace_text.hpp"

namespace harness::trace {
namespace {

/// ATen's products, without "aten::".
constexpr std::string_view products =
    "mm bmm baddbmm addbmm linear linear_backward _mixed_dtypes_linear _sparse_semi_structured_linear einsum "
    "_mkl_linear bilinear _trilinear inner tensordot";

/// Products, convolutions, attention and recurrent layers, by a part of the name.
constexpr auto product_words = std::to_array<std::string_view>(
    {"convolution", "conv1d", "conv2d", "conv3d", "conv_transpose", "conv_depthwise", "conv_dilated",
     "conv_tbc", "attention", "_rnn", "mkldnn_linear", "addmm", "_mm", "matmul"});

/// Words of ATen's operators that work element by element.
constexpr std::string_view elementwise_operators =
    "abs absolute acos acosh add addcdiv addcmul angle arccos arccosh arcsin arcsinh arctan arctanh asin "
    "asinh atan atanh bitwise ceil celu clamp clip complex conj copysign cos cosh deg2rad digamma div divide "
    "elu eq equal erf erfc erfinv exp expm1 fix float floor fmax fmin fmod frac frexp gcd ge gelu glu "
    "greater gt hardshrink hardsigmoid hardswish hardtanh heaviside hypot i0 igamma igammac isclose isfinite "
    "isin isinf isnan lcm ldexp le lerp less lgamma log log1p logaddexp logical logit lt maximum minimum "
    "mish mul multiply mvlgamma nan ne neg negative nextafter not polar polygamma positive pow prelu rad2deg "
    "real reciprocal relu remainder round rrelu rshift lshift rsqrt rsub selu sgn sigmoid sign signbit silu "
    "sin sinc sinh softplus softshrink special sqrt square sub subtract tan tanh threshold trunc where xlogy";

/// Words of others that move more than they compute: sums, normalization, pooling, losses, indices, copies,
/// order, random numbers, transforms, quantization, optimizers.
constexpr std::string_view moving_operators =
    "addmv addr all allclose amax amin aminmax any argmax argmin count corrcoef cov cross cummax cummaxmin "
    "cummin cumprod cumsum cumulative diff dist dot ger kron logcumsumexp logsumexp max mean median min mode "
    "mv nanmean nanmedian nanquantile nansum norm outer prod quantile std sum trace trapezoid trapz vander "
    "var vdot vecdot affine batch channel dropout grid group instance layer pixel pool renorm rms shuffle "
    "softmax unshuffle upsample distance entropy kl loss similarity arange block bucketize cast cat chunk "
    "clone coalesce col2im column combinations concat concatenate constant contiguous copy cartesian diag "
    "diagflat diagonal dstack embedding empty expand eye fill flip fliplr flipud full gather hot hstack "
    "im2col index interleave jagged lift linspace logspace masked meshgrid narrow nested nonzero ones pack "
    "pad padded pin put range ravel repeat reshape resize roll rot row scalar scatter segment select slice "
    "sparse split stack take tile to tril triu type unfold unpack values vstack zero zeros argsort bincount "
    "histc histogram histogramdd kthvalue msort searchsorted sort topk unique bernoulli binomial cauchy "
    "dirichlet exponential gamma geometric multinomial normal poisson rand randint randn random randperm "
    "sobol uniform fft istft stft window dequantize fake qparams quantize quantized rowwise convert reorder "
    "adagrad adam adamw amp foreach sgd cell check and iand or ior xor ixor isneginf isposinf isreal "
    "gradient transpose rescale fq hash argwhere";

/// Factorizations, solvers and the recurrent and other layers that ATen runs whole, by a part of the name;
/// and what has such a part but only moves.
constexpr auto arithmetic_words = std::to_array<std::string_view>(
    {"linalg_", "svd",      "cholesky", "lu_solve", "lu_factor",   "lu_with_info",      "triangular_solve",
     "lstsq",   "ormqr",    "orgqr",    "geqrf",    "householder", "matrix_exp",        "inverse",
     "lobpcg",  "rnn_tanh", "rnn_relu", "lstm",     "gru",         "encoder_layer_fwd", "fbgemm_linear"});
constexpr std::string_view arithmetic_names =
    "qr solve eig symeig _cdist_forward _cdist_backward _pdist_forward _pdist_backward hspmm smm _spsolve";
constexpr auto moving_words =
    std::to_array<std::string_view>({"norm", "slice", "linalg_cross", "linalg_diagonal", "linalg_vecdot",
                                     "linalg_vander", "check_errors", "_cell", "quantize_weight"});

/// Namespaces of operators that work on tensors as ATen's do.
constexpr std::string_view libraries =
    "mkldnn onednn mkl prepacked quantized torch_ipex zentorch inductor prims torchvision torchao fbgemm "
    "torch_sparse torch_scatter";
/// Those that also search, sample and filter: what is not a product may be anything.
constexpr std::string_view searching_libraries = "torchaudio torch_cluster pyg";
/// A library's products, by a part of the name, and what has such a part but only packs or converts.
constexpr auto library_product_words = std::to_array<std::string_view>(
    {"conv", "linear", "gemm", "matmul", "_mm", "bmm", "attention", "flash", "rnn", "lstm", "gru", "mlp"});
constexpr auto packing_words =
    std::to_array<std::string_view>({"prepack", "unpack", "reorder", "convert", "bilinear"});

/// ATen's operators that only look at their tensor in another way.
constexpr std::string_view views =
    "t transpose permute as_strided as_strided_ view reshape _unsafe_view flatten expand expand_as select "
    "slice narrow unbind split chunk squeeze unsqueeze detach detach_ alias lift_fresh resolve_conj "
    "resolve_neg result_type item is_nonzero _local_scalar_dense";

constexpr std::string_view aten_space = "aten::";

bool is_aten(std::string_view name) { return name.starts_with(aten_space); }

bool has_one(std::string_view name, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != name.npos; });
}

/// "AddmmBackward0": the frame of a backward formula around the operators that do the work.
bool is_backward_frame(std::string_view name) {
  const auto end = name.find_last_not_of("0123456789");
  return end != name.npos && name.substr(0, end + 1).ends_with("Backward");
}

/// "linalg_qr" and "lstm", but neither "linalg_vector_norm" nor "_thnn_fused_lstm_cell".
bool computes(std::string_view name) {
  if (is_word_of(arithmetic_names, name)) return true;
  return has_one(name, arithmetic_words) && !has_one(name, moving_words);
}

enum class WordKind : std::uint8_t { unknown, elementwise, moving };

void add_words(std::string_view list, WordKind kind, std::map<std::string_view, WordKind>& words) {
  while (!list.empty()) words.emplace(taken(list, ' '), kind);
}

/// The kind of the first word that is known, also without the dimensions behind it:
/// "upsample_nearest2d_backward.out" and "add_".
WordKind first_word(std::string_view name) {
  static const auto known = [] {
    std::map<std::string_view, WordKind> words;
    add_words(elementwise_operators, WordKind::elementwise, words);
    add_words(moving_operators, WordKind::moving, words);
    return words;
  }();
  const auto kind_of = [](std::string_view word) {
    const auto at = known.find(word);
    return at == known.end() ? WordKind::unknown : at->second;
  };
  name = name.substr(0, name.find('.'));
  while (!name.empty()) {
    auto word = taken(name, '_');
    if (const auto kind = kind_of(word); kind != WordKind::unknown) return kind;
    if (word.ends_with('d')) word.remove_suffix(1);
    while (!word.empty() && word.back() >= '0' && word.back() <= '9') word.remove_suffix(1);
    if (const auto kind = kind_of(word); kind != WordKind::unknown) return kind;
  }
  return WordKind::unknown;
}

/// One of ATen's, without "aten::".
HostWork aten_work(std::string_view name) {
  if (is_word_of(products, name) || (has_one(name, product_words) && !has_one(name, packing_words)) ||
      computes(name))
    return HostWork::product;
  const bool moves = first_word(name) != WordKind::unknown || has_one(name, moving_words);
  return moves ? HostWork::moving : HostWork::unknown;
}

/// "mkldnn::_linear_pointwise.binary"; its namespace may have a number behind it.
HostWork library_work(std::string_view space, std::string_view name) {
  // These compute attention and nothing else.
  if (space.starts_with("xformers") || space.starts_with("flash_attn")) return HostWork::product;
  const bool searching = is_word_of(searching_libraries, space);
  if (!searching && !is_word_of(libraries, space)) return HostWork::unknown;
  if (has_one(name, library_product_words) && !has_one(name, packing_words)) return HostWork::product;
  return searching ? HostWork::unknown : HostWork::moving;
}

/// Inductor's own kernels: "graph_0_cpp_fused_add_relu_1" loops over elements, "triton_red_fused_sum_0".
HostWork compiled_work(std::string_view name) {
  if (!name.starts_with("triton_")) return HostWork::moving;
  const auto kind = kernel_kind(name);
  if (kind == KernelKind::other) return HostWork::unknown;
  return is_product(kind) ? HostWork::product : HostWork::moving;
}

}  // namespace

HostWork host_work(std::string_view name) {
  constexpr std::array<std::string_view, 7> communicating{
      "c10d::", "gloo:", "mpi:", "nccl:", "ucc:", "xccl:", "record_param_comms"};
  if (std::ranges::any_of(communicating, [&](std::string_view word) { return name.starts_with(word); }))
    return HostWork::communication;
  if (name.starts_with("triton_") || name.find("cpp_fused_") != name.npos) return compiled_work(name);
  const bool frame =
      name.starts_with("autograd::") || name.starts_with("torch::autograd::") || is_backward_frame(name);
  const auto at = name.find("::");
  if (frame || at == name.npos) return HostWork::calling;  // PyTorch's own have no namespace: "detach"
  const auto space = name.substr(0, at);
  name.remove_prefix(at + 2);
  if (is_word_of(views, name)) return HostWork::calling;
  return space == "aten" ? aten_work(name) : library_work(space, name);
}

bool is_view(std::string_view name) {
  return is_aten(name) && is_word_of(views, name.substr(aten_space.size()));
}

bool is_elementwise(std::string_view name) {
  return is_aten(name) && host_work(name) == HostWork::moving &&
         first_word(name.substr(aten_space.size())) == WordKind::elementwise &&
         name.find("softmax") == name.npos;
}

}  // namespace harness::trace
