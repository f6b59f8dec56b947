#include "harness/ranks/rank_times.hpp"

#include "harness/core/median.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace harness::ranks {

RankTimes::RankTimes(std::vector<std::string> names) : names_(std::move(names)) {
  for (auto& form : forms_) form.resize(names_.size());
}

void RankTimes::add(Form form, std::span<const Reply> replies) {
  auto& ranks = forms_[form == Form::naive ? 0 : 1];
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    ranks[i].seconds.push_back(replies[i].seconds);
    ranks[i].cpu_seconds.push_back(replies[i].cpu_seconds);
  }
}

void RankTimes::clear() {
  for (auto& form : forms_)
    for (auto& times : form) times = {};
}

std::vector<Figure> RankTimes::figures() const {
  std::vector<Figure> all;
  const auto add = [&](const char* what, std::size_t rank, std::vector<double> Times::* values) {
    const auto& naive = forms_[0][rank].*values;
    const auto& optimized = forms_[1][rank].*values;
    if (!naive.empty() && !optimized.empty())
      all.push_back({fmt::format("{}, {}", names_[rank], what), "s", median(naive), median(optimized)});
  };
  for (std::size_t rank = 0; rank < forms_[0].size(); ++rank) {
    add("time of a run", rank, &Times::seconds);
    add("CPU time of a run", rank, &Times::cpu_seconds);
  }
  return all;
}

}  // namespace harness::ranks
