#include "workloads/stgym/data/ranking.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace workloads::stgym {
namespace {

using Scored = std::vector<std::pair<double, bool>>;  // score, and whether it is of a positive

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// From the positives' ranks (Mann and Whitney); equal scores share the mean of their ranks.
double area(Scored samples) {
  if (std::ranges::any_of(samples, [](const auto& sample) { return std::isnan(sample.first); })) return none;
  std::ranges::sort(samples, {}, &Scored::value_type::first);
  double positives = 0;
  double ranks = 0;
  for (auto begin = samples.begin(); begin != samples.end();) {
    const auto end =
        std::find_if(begin, samples.end(), [&](const auto& s) { return s.first != begin->first; });
    const auto equal = static_cast<double>(std::count_if(begin, end, [](const auto& s) { return s.second; }));
    const auto mean_rank = static_cast<double>((begin - samples.begin()) + (end - samples.begin()) + 1) / 2;
    positives += equal;
    ranks += equal * mean_rank;
    begin = end;
  }
  const auto negatives = static_cast<double>(samples.size()) - positives;
  if (positives == 0 || negatives == 0) return none;
  return (ranks - positives * (positives + 1) / 2) / (positives * negatives);
}

/// Of the samples of two classes, those of the first being positive.
double area_between(const at::TensorAccessor<std::int64_t, 1>& label,
                    const at::TensorAccessor<double, 2>& score, std::int64_t positive,
                    std::int64_t negative) {
  Scored samples;
  for (std::int64_t i = 0; i < label.size(0); ++i)
    if (label[i] == positive || label[i] == negative)
      samples.emplace_back(score[i][positive], label[i] == positive);
  return area(std::move(samples));
}

at::Tensor on_host(const at::Tensor& values, at::ScalarType type) {
  return values.cpu().to(type).contiguous();
}

}  // namespace

double roc_auc(const at::Tensor& label, const at::Tensor& score) {
  const auto labels = on_host(label, at::kLong);
  const auto scores = on_host(score, at::kDouble);
  const auto y = labels.accessor<std::int64_t, 1>();
  const auto s = scores.accessor<double, 1>();
  Scored samples;
  for (std::int64_t i = 0; i < y.size(0); ++i) samples.emplace_back(s[i], y[i] == 1);
  return area(std::move(samples));
}

double roc_auc_one_versus_one(const at::Tensor& label, const at::Tensor& score) {
  const auto labels = on_host(label, at::kLong);
  const auto scores = on_host(score, at::kDouble);
  const auto y = labels.accessor<std::int64_t, 1>();
  const auto s = scores.accessor<double, 2>();
  const auto counts = at::bincount(labels, {}, s.size(1));
  const auto present = counts.accessor<std::int64_t, 1>();
  double sum = 0;
  double pairs = 0;
  for (std::int64_t a = 0; a < s.size(1); ++a)
    for (std::int64_t b = a + 1; b < s.size(1); ++b) {
      if (present[a] == 0 || present[b] == 0) continue;
      sum += (area_between(y, s, a, b) + area_between(y, s, b, a)) / 2;
      ++pairs;
    }
  return pairs == 0 ? none : sum / pairs;
}

}  // namespace workloads::stgym
