#include "workloads/stgym/model/pool_fused.hpp"

#include "workloads/stgym/model/pool_by_segment.hpp"
#include "workloads/stgym/model/pool_fused_kernels.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <type_traits>

namespace workloads::stgym {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Each of them takes every so many nodes of a graph: enough to fill the largest devices.
constexpr int device_parts = 64;

/// What both passes read and nobody asks a gradient of.
struct Fixed {
  at::Tensor offsets;  // [B + 1] int64
  at::Tensor degree;   // [N]: column sums of A
  PoolSizes size;
};

/// (A + A') S within the graphs: [N, K]. Half of its product with S is the trace, and it is the trace's
/// gradient.
at::Tensor neighbours_of(const PoolSumsInput& in, const at::Tensor& s) {
  auto sum = at::zeros_like(s);
  const auto ends = in.adjacency.indices();
  if (ends.size(1) == 0) return sum;
  const auto graph_of_end = in.graph_of.index_select(0, ends.view({-1})).view({2, -1});
  const auto inside =
      (in.adjacency.values() * graph_of_end[0].eq(graph_of_end[1])).to(s.scalar_type()).unsqueeze(1);
  sum.index_add_(0, ends[0], s.index_select(0, ends[1]) * inside);
  return sum.index_add_(0, ends[1], s.index_select(0, ends[0]) * inside);
}

Fixed fixed_of(const PoolSumsInput& in) {
  const auto weights = in.adjacency.values().to(in.h.scalar_type());
  // Found on the device: the sizes on the host would have to be copied there.
  const auto offsets = at::searchsorted(in.graph_of, at::arange(in.graphs + 1, in.graph_of.options()));
  const auto degree =
      at::zeros({in.h.size(0)}, in.h.options()).index_add_(0, in.adjacency.indices()[1], weights);
  return {offsets, degree, {in.h.size(0), in.logits.size(1), in.h.size(1), in.graphs, in.softmaxes}};
}

/// Sums over the parts: [B, K, K + H].
template <class T>
at::Tensor run_forward(PoolForward<T> args, const at::TensorOptions& options) {
  const PoolSizes& size = args.size;
  if constexpr (std::is_same_v<T, float>)
    if (options.device().is_cuda()) {
      const at::Tensor sums =
          at::empty({device_parts, size.graphs, size.clusters, size.clusters + size.features}, options);
      args.sums = sums.data_ptr<T>();
      launch_pool_forward(args, device_parts, c10::cuda::getCurrentCUDAStream());
      return sums.sum(0);
    }
  const std::int64_t parts = at::get_num_threads();
  const at::Tensor sums =
      at::zeros({parts, size.graphs, size.clusters, size.clusters + size.features}, options);
  args.sums = sums.data_ptr<T>();
  at::parallel_for(0, parts, 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto part = begin; part < end; ++part) pool_forward(args, part, parts);
  });
  return sums.sum(0);
}

template <class T>
void run_backward(const PoolBackward<T>& args, const at::Device& device) {
  if constexpr (std::is_same_v<T, float>)
    if (device.is_cuda()) return launch_pool_backward(args, c10::cuda::getCurrentCUDAStream());
  constexpr std::int64_t grain = 256;
  at::parallel_for(0, args.size.nodes, grain,
                   [&](std::int64_t begin, std::int64_t end) { pool_backward(args, begin, end); });
}

template <class T>
variable_list forward_as(const at::Tensor& h, const at::Tensor& logits, const Fixed& fixed) {
  const auto s = at::empty_like(logits);
  const auto weighted = at::empty_like(fixed.degree);
  PoolForward<T> args;
  args.size = fixed.size;
  args.offsets = fixed.offsets.const_data_ptr<std::int64_t>();
  args.h = h.const_data_ptr<T>();
  args.logits = logits.const_data_ptr<T>();
  args.degree = fixed.degree.const_data_ptr<T>();
  args.s = s.data_ptr<T>();
  args.weighted = weighted.data_ptr<T>();
  const auto sums = run_forward(args, h.options());
  const auto k = fixed.size.clusters;
  return {s, weighted.sum(), sums.narrow(2, 0, k).contiguous(),
          sums.narrow(2, k, fixed.size.features).contiguous()};
}

/// The gradients by the outputs, in the order of Sums::forward's.
struct Incoming {
  at::Tensor s, inside, ends, ss, sh;
};

template <class T>
variable_list backward_as(const variable_list& saved, const Incoming& by, const PoolSizes& size) {
  const auto &h = saved[0], &logits = saved[1], &s = saved[2];
  const auto of_logits = at::empty_like(logits);
  const auto of_h = at::empty_like(h);
  PoolBackward<T> args;
  args.size = size;
  args.offsets = saved[4].const_data_ptr<std::int64_t>();
  args.h = h.const_data_ptr<T>();
  args.logits = logits.const_data_ptr<T>();
  args.degree = saved[5].const_data_ptr<T>();
  args.s = s.const_data_ptr<T>();
  args.neighbours = saved[3].const_data_ptr<T>();
  args.of_s = by.s.const_data_ptr<T>();
  args.of_inside = by.inside.const_data_ptr<T>();
  args.of_weighted = by.ends.const_data_ptr<T>();
  args.of_ss = by.ss.const_data_ptr<T>();
  args.of_sh = by.sh.const_data_ptr<T>();
  args.of_logits = of_logits.data_ptr<T>();
  args.of_h = of_h.data_ptr<T>();
  run_backward(args, h.device());
  return {of_h, of_logits};
}

struct Sums : torch::autograd::Function<Sums> {
  static variable_list forward(AutogradContext* context, const at::Tensor& h, const at::Tensor& logits,
                               const PoolSumsInput& in) {
    const auto fixed = fixed_of(in);
    const bool wide = h.scalar_type() == at::kDouble;
    auto out = wide ? forward_as<double>(h, logits, fixed) : forward_as<float>(h, logits, fixed);
    const auto neighbours = neighbours_of(in, out[0]);
    context->save_for_backward({h, logits, out[0], neighbours, fixed.offsets, fixed.degree});
    context->saved_data["graphs"] = fixed.size.graphs;
    context->saved_data["softmaxes"] = static_cast<std::int64_t>(fixed.size.softmaxes);
    out.insert(out.begin() + 1, (out[0] * neighbours).sum() / 2);
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& by) {
    const auto saved = context->get_saved_variables();
    const auto &h = saved[0], &logits = saved[1];
    const PoolSizes size{h.size(0), logits.size(1), h.size(1), context->saved_data["graphs"].toInt(),
                         static_cast<int>(context->saved_data["softmaxes"].toInt())};
    // Where nobody reads an output, autograd gives zeros.
    const Incoming in{by[0].contiguous(), by[1], by[2], (by[3] + by[3].transpose(1, 2)).contiguous(),
                      by[4].contiguous()};
    auto out = h.scalar_type() == at::kDouble ? backward_as<double>(saved, in, size)
                                              : backward_as<float>(saved, in, size);
    out.emplace_back();  // the input's plain data
    return out;
  }
};

// The kernels on the host. FP32 twice: for any x86-64, and with AVX2, which is chosen when the program runs.

/// e^x for x <= 0. FP64 (the tests' gradients) takes the library's.
[[gnu::always_inline]] inline double exp_of(double x) { return std::exp(x); }

/// 2^n e^r with |r| <= ln(2) / 2 and a polynomial for e^r: within 2 units in the last place, and the compiler
/// can do several at once.
[[gnu::always_inline]] inline float exp_of(float x) {
  constexpr float to_integer = 12582912;      // 1.5 * 2^23: adding it rounds to a whole number
  const float limited = std::max(x, -87.0F);  // about the smallest normal number
  const float n = (limited * 1.44269504F + to_integer) - to_integer;
  const float r = (limited - n * 0.693359375F) + n * 2.12194440e-4F;
  float y = 1.9875691500e-4F;
  y = y * r + 1.3981999507e-3F;
  y = y * r + 8.3334519073e-3F;
  y = y * r + 4.1665795894e-2F;
  y = y * r + 1.6666665459e-1F;
  y = y * r + 5.0000001201e-1F;
  y = y * r * r + r + 1;
  return y * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
}

template <class T>
[[gnu::always_inline]] inline void softmax(const T* in, T* out, std::int64_t k) {
  T most = in[0];
  for (std::int64_t i = 1; i < k; ++i) most = std::max(most, in[i]);
  for (std::int64_t i = 0; i < k; ++i) out[i] = exp_of(in[i] - most);
  T sum = 0;
  for (std::int64_t i = 0; i < k; ++i) sum += out[i];
  for (std::int64_t i = 0; i < k; ++i) out[i] /= sum;
}

/// Of the loss by a softmax's output, in place: by its input.
template <class T>
[[gnu::always_inline]] inline void softmax_backward(const T* out, T* gradient, std::int64_t k) {
  T inner = 0;
  for (std::int64_t i = 0; i < k; ++i) inner += out[i] * gradient[i];
  for (std::int64_t i = 0; i < k; ++i) gradient[i] = out[i] * (gradient[i] - inner);
}

/// S of one node from its logits. `first`: the first of two softmaxes.
template <class T>
[[gnu::always_inline]] inline void assign(const PoolSizes& size, const T* logits, T* first, T* s) {
  softmax(logits, size.softmaxes == 2 ? first : s, size.clusters);
  if (size.softmaxes == 2) softmax(first, s, size.clusters);
}

/// sums [K, width] += rows of S, transposed, times rows [count, width]. Four at a time: a sum is then loaded
/// and stored once for four nodes.
template <class T>
[[gnu::always_inline]] inline void add_products(T* sums, std::int64_t stride, const T* s, std::int64_t k,
                                                const T* rows, std::int64_t width, std::int64_t count) {
  for (std::int64_t n = 0; n < count; n += 4) {
    const auto left = count - n;
    const T* r0 = rows + n * width;
    const T* r1 = left > 1 ? r0 + width : r0;
    const T* r2 = left > 2 ? r0 + 2 * width : r0;
    const T* r3 = left > 3 ? r0 + 3 * width : r0;
    for (std::int64_t i = 0; i < k; ++i) {
      const T* factor = s + n * k + i;
      const T f0 = factor[0];
      const T f1 = left > 1 ? factor[k] : T{0};
      const T f2 = left > 2 ? factor[2 * k] : T{0};
      const T f3 = left > 3 ? factor[3 * k] : T{0};
      T* __restrict sum = sums + i * stride;
      for (std::int64_t j = 0; j < width; ++j) sum[j] += f0 * r0[j] + f1 * r1[j] + f2 * r2[j] + f3 * r3[j];
    }
  }
}

template <class T>
[[gnu::always_inline]] inline void forward(const PoolForward<T>& a, std::int64_t part, std::int64_t parts) {
  const auto k = a.size.clusters;
  const auto h = a.size.features;
  const auto begin = a.size.nodes * part / parts;
  const auto end = a.size.nodes * (part + 1) / parts;
  T first[most_clusters];
  for (auto n = begin; n < end; ++n) {
    assign(a.size, a.logits + n * k, first, a.s + n * k);
    T square = 0;
    for (std::int64_t i = 0; i < k; ++i) square += a.s[n * k + i] * a.s[n * k + i];
    a.weighted[n] = a.degree[n] * square;
  }
  constexpr std::int64_t near = 64;  // nodes whose rows stay in the first cache for both sums
  for (std::int64_t graph = 0; graph < a.size.graphs; ++graph) {
    T* sums = a.sums + (part * a.size.graphs + graph) * k * (k + h);
    const auto last = std::min(end, a.offsets[graph + 1]);
    for (auto n = std::max(begin, a.offsets[graph]); n < last; n += near) {
      const auto count = std::min(near, last - n);
      add_products(sums, k + h, a.s + n * k, k, a.s + n * k, k, count);
      add_products(sums + k, k + h, a.s + n * k, k, a.h + n * h, h, count);
    }
  }
}

/// The sum of x y; on the way out += factor y. Eight partial sums, which the compiler can do at once.
template <class T>
[[gnu::always_inline]] inline T dot_and_add(const T* x, const T* y, T factor, T* __restrict out,
                                            std::int64_t width) {
  constexpr std::int64_t lanes = 8;
  T partial[lanes] = {};
  std::int64_t j = 0;
  for (; j + lanes <= width; j += lanes)
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      partial[lane] += x[j + lane] * y[j + lane];
      out[j + lane] += factor * y[j + lane];
    }
  T sum = 0;
  for (; j < width; ++j) {
    sum += x[j] * y[j];
    out[j] += factor * y[j];
  }
  for (const auto value : partial) sum += value;
  return sum;
}

/// Adds what the graph's sums pass on to one node.
template <class T>
[[gnu::always_inline]] inline void from_sums(const PoolBackward<T>& a, std::int64_t graph, std::int64_t n,
                                             T* of_s, T* of_h) {
  const auto k = a.size.clusters;
  const auto width = a.size.features;
  const T* s = a.s + n * k;
  const T* of_ss = a.of_ss + graph * k * k;
  const T* of_sh = a.of_sh + graph * k * width;
  for (std::int64_t i = 0; i < k; ++i)
    for (std::int64_t j = 0; j < k; ++j) of_s[j] += s[i] * of_ss[i * k + j];
  for (std::int64_t i = 0; i < k; ++i)
    of_s[i] += dot_and_add(a.h + n * width, of_sh + i * width, s[i], of_h, width);
}

template <class T>
[[gnu::always_inline]] inline void backward(const PoolBackward<T>& a, std::int64_t begin, std::int64_t end) {
  const auto k = a.size.clusters;
  T first[most_clusters];
  T gradient[most_clusters];
  std::int64_t graph = 0;
  for (auto n = begin; n < end; ++n) {
    while (graph < a.size.graphs && n >= a.offsets[graph + 1]) ++graph;
    const T* s = a.s + n * k;
    const T weight = 2 * *a.of_weighted * a.degree[n];
    for (std::int64_t i = 0; i < k; ++i)
      gradient[i] = a.of_s[n * k + i] + *a.of_inside * a.neighbours[n * k + i] + weight * s[i];
    T* of_h = a.of_h + n * a.size.features;
    std::fill_n(of_h, a.size.features, T{0});
    if (graph < a.size.graphs) from_sums(a, graph, n, gradient, of_h);
    softmax_backward(s, gradient, k);
    if (a.size.softmaxes == 2) {
      softmax(a.logits + n * k, first, k);
      softmax_backward(first, gradient, k);
    }
    std::copy_n(gradient, k, a.of_logits + n * k);
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void forward_avx2(const PoolForward<float>& a, std::int64_t part,
                                              std::int64_t parts) {
  forward(a, part, parts);
}
[[gnu::target("avx2,fma")]] void backward_avx2(const PoolBackward<float>& a, std::int64_t begin,
                                               std::int64_t end) {
  backward(a, begin, end);
}
bool has_avx2() { return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0; }
#else
void forward_avx2(const PoolForward<float>&, std::int64_t, std::int64_t) {}
void backward_avx2(const PoolBackward<float>&, std::int64_t, std::int64_t) {}
bool has_avx2() { return false; }
#endif

}  // namespace

PoolSums pool_sums(const PoolSumsInput& in) {
  const auto out = Sums::apply(in.h.contiguous(), in.logits.contiguous(), in);
  return {out[0], out[1], out[2], out[3], out[4]};
}

bool fused_pooling_fits(const PoolingInput& in) {
  return in.kind == PoolingKind::mincut && in.s.size(1) <= most_clusters &&
         !in.adjacency.values().requires_grad() && (!in.h.is_cuda() || in.h.size(1) <= most_device_features);
}

Pooled pool_fused(const PoolingInput& in, int softmaxes) {
  const auto graphs = std::ssize(in.sizes);
  const auto h = in.features_are_read ? in.h : in.s.new_empty({in.s.size(0), 0});
  const auto sums = pool_sums({h, in.s, in.adjacency, in.graph_of, graphs, softmaxes});
  Pooled out;
  out.soft = sums.s;
  out.mincut_loss = -(sums.inside / sums.ends);
  out.ortho_loss = mean_ortho_loss(sums.ss);
  if (in.features_are_read) out.out_x = sums.sh.flatten(0, 1);
  out.out_batch = cluster_graphs(in);
  if (in.graph_is_read) add_pooled_graph(in, sums.s, out);
  return out;
}

template <>
void pool_forward(const PoolForward<float>& args, std::int64_t part, std::int64_t parts) {
  has_avx2() ? forward_avx2(args, part, parts) : forward(args, part, parts);
}
template <>
void pool_forward(const PoolForward<double>& args, std::int64_t part, std::int64_t parts) {
  forward(args, part, parts);
}
template <>
void pool_backward(const PoolBackward<float>& args, std::int64_t begin, std::int64_t end) {
  has_avx2() ? backward_avx2(args, begin, end) : backward(args, begin, end);
}
template <>
void pool_backward(const PoolBackward<double>& args, std::int64_t begin, std::int64_t end) {
  backward(args, begin, end);
}

}  // namespace workloads::stgym
