#include "harness/support/near_miss.hpp"

#include "harness/support/text.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace harness::inline support {
namespace {

constexpr std::size_t longest_word = 200;  // that somebody may have misspelled: edits take its square

/// The edits (insertions, deletions, replacements, two letters swapped) that turn the word into each
/// beginning of the text: the distance of optimal string alignment. None of the libraries used here has one.
std::vector<std::size_t> edits(std::string_view word, std::string_view text) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> row(text.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= word.size(); ++i) {
    std::vector<std::size_t> next(text.size() + 1, i);
    for (std::size_t j = 1; j <= text.size(); ++j) {
      const auto replaced = row[j - 1] + (word[i - 1] == text[j - 1] ? 0 : 1);
      next[j] = std::min({replaced, row[j] + 1, next[j - 1] + 1});
      if (i > 1 && j > 1 && word[i - 1] == text[j - 2] && word[i - 2] == text[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before = std::exchange(row, std::move(next));
  }
  return row;
}

std::size_t edits_to_whole(std::string_view word, std::string_view text) { return edits(word, text).back(); }

/// To a part that begins where a word of the text does: "sink" is nearly in "rising", and nobody means that.
/// With the same letter, which nobody misses: "nope" is nearly "ope", in "operators".
std::size_t edits_to_part(std::string_view word, std::string_view text) {
  auto fewest = word.size();
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == word.front() && (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0))
      fewest = std::min(fewest, std::ranges::min(edits(word, text.substr(at))));
  return fewest;
}

/// Two words of which one is short are soon alike: a part of a long name takes more likeness than a whole
/// one.
bool is_near(std::string_view word, std::string_view name) {
  const auto whole = word.size() < 3 ? 0 : std::max<std::size_t>(1, word.size() / 3);
  return edits_to_part(word, name) <= word.size() / 4 || edits_to_whole(word, name) <= whole;
}

/// Each option has the dashes: they make no two words alike.
std::string_view without_dashes(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  return name;
}

}  // namespace

std::vector<std::string> near_misses(std::string_view word, std::span<const std::string> candidates,
                                     std::size_t most) {
  std::string bare;
  for (const char c : without_dashes(word))
    if (c != '*' && c != '?')
      bare += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));  // names are in small letters
  if (bare.empty() || bare.size() > longest_word) return {};
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const auto& candidate : candidates)
    if (const auto name = without_dashes(candidate); is_near(bare, name))
      near.emplace_back(edits_to_part(bare, name), candidate);
  std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> best;
  for (auto& [distance, candidate] : near)
    if (best.size() < most && std::ranges::find(best, candidate) == best.end())
      best.push_back(std::move(candidate));
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  auto near = near_misses(word, candidates);
  for (auto& name : near) name = "'" + name + "'";
  return near.empty() ? "" : "; did you mean " + join_or(near) + "?";
}

}  // namespace harness::inline support
