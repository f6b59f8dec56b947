#include "harness/page/published_pair.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace harness::page {
namespace {

constexpr std::string_view arrow = " -> ";

/// Takes a number above 0 from the front.
std::optional<double> take_number(std::string_view& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value > 0)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool is_time(std::string_view unit) {
  constexpr std::array<std::string_view, 4> times{"s", "ms", "us", "ns"};
  return std::ranges::find(times, unit.substr(0, unit.find('/'))) != times.end();
}

/// What stands in the first brackets, up to its first comma.
std::string where_of(std::string_view text) {
  const auto open = text.find('(');
  if (open == text.npos) return {};
  text.remove_prefix(open + 1);
  return std::string(text.substr(0, text.find_first_of(",)")));
}

std::optional<PublishedPair> pair_of(std::string_view clause) {
  clause.remove_prefix(std::min(clause.find_first_not_of(' '), clause.size()));
  const auto before = take_number(clause);
  if (!before || !clause.starts_with(arrow)) return std::nullopt;
  clause.remove_prefix(arrow.size());
  const auto after = take_number(clause);
  if (!after || !clause.starts_with(' ') || clause.find("->") != clause.npos) return std::nullopt;
  clause.remove_prefix(1);
  const auto unit = clause.substr(0, clause.find_first_of(" ,;"));
  const bool rate = unit.ends_with("/s");
  if (!rate && !is_time(unit)) return std::nullopt;
  const double ratio = rate ? *before / *after : *after / *before;
  return PublishedPair{*before, *after, std::string(unit), where_of(clause), ratio};
}

}  // namespace

std::vector<PublishedPair> published_pairs(std::string_view text) {
  std::vector<PublishedPair> pairs;
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    if (auto pair = pair_of(text.substr(0, end))) pairs.push_back(std::move(*pair));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pairs;
}

}  // namespace harness::page
