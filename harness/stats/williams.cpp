#include "harness/stats/williams.hpp"

#include <algorithm>
#include <cstddef>

namespace harness {

std::vector<std::vector<int>> williams_square(int variants) {
  std::vector<int> first;
  for (int low = 1, high = variants - 1; static_cast<int>(first.size()) < variants;) {
    if (first.empty())
      first.push_back(0);
    else
      first.push_back(first.size() % 2 == 1 ? low++ : high--);
  }
  std::vector<std::vector<int>> rows;
  for (int shift = 0; shift < variants; ++shift) {
    auto row = first;
    for (auto& variant : row) variant = (variant + shift) % variants;
    rows.push_back(std::move(row));
  }
  if (variants % 2 == 0) return rows;
  for (std::size_t i = 0; i < static_cast<std::size_t>(variants); ++i)
    rows.emplace_back(rows[i].rbegin(), rows[i].rend());
  return rows;
}

std::vector<int> williams_row(int variants, int round) {
  const auto square = williams_square(variants);
  return square.at(static_cast<std::size_t>(round) % square.size());
}

}  // namespace harness
