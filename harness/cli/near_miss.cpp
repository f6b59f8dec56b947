#include "harness/cli/near_miss.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace harness {
namespace {

/// The edits (insertions, deletions, replacements) that turn the word into some part of the text: Sellers's
/// variant of Levenshtein's distance. None of the libraries used here has one.
std::size_t edits_to_part(std::string_view word, std::string_view text) {
  std::vector<std::size_t> row(text.size() + 1, 0);
  for (std::size_t i = 1; i <= word.size(); ++i) {
    auto diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= text.size(); ++j) {
      const auto replaced = diagonal + (word[i - 1] == text[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return *std::ranges::min_element(row);
}

}  // namespace

std::vector<std::string> near_misses(std::string_view word, std::span<const std::string> candidates,
                                     std::size_t most) {
  std::string bare;
  for (const char c : word)
    if (c != '*' && c != '?')
      bare += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));  // names are in small letters
  if (bare.empty()) return {};
  std::vector<std::pair<std::size_t, std::string>> near;
  // With one edit, a word of three letters would be near to nearly everything.
  const auto allowed = bare.size() < 4 ? 0 : bare.size() / 3;
  for (const auto& candidate : candidates)
    if (const auto edits = edits_to_part(bare, candidate); edits <= allowed)
      near.emplace_back(edits, candidate);
  std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> best;
  for (auto& [edits, candidate] : near)
    if (best.size() < most && std::ranges::find(best, candidate) == best.end())
      best.push_back(std::move(candidate));
  return best;
}

std::string join_or(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  auto near = near_misses(word, candidates);
  for (auto& name : near) name = "'" + name + "'";
  return near.empty() ? "" : "; did you mean " + join_or(near) + "?";
}

}  // namespace harness
