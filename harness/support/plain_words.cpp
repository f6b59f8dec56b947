#include "harness/support/plain_words.hpp"

#include <fmt/format.h>

#include <cctype>

namespace harness::inline support {
namespace {

/// Words that stand on every page or tell nothing, between blanks; a page is not found by one of them alone.
constexpr std::string_view empty_words =
    " a am all an and are as at be become becomes by can code do does error fast faster for forever from get "
    "gets have help how i if in is it its long make makes many me mean means most much my need nn no not of "
    "often on only or other others out script self should slow slower so take takes than that the then there "
    "this to too torch true false use used vs was what when where which who why with would x you your ";

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80)
      words.back() += static_cast<char>(std::tolower(byte));
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool tells(std::string_view word) {
  return word.find_first_not_of("0123456789") != word.npos &&
         empty_words.find(fmt::format(" {} ", word)) == empty_words.npos;
}

}  // namespace harness::inline support
