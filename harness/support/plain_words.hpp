// The words of a text that somebody typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace harness::inline support {

/// Its words in lower case, without what stands between them: "overhead/sync-bound" -> "overhead", "sync",
/// "bound".
std::vector<std::string> words_of(std::string_view text);

/// False of a number and of a word that stands everywhere, such as "why" or "slow".
bool tells(std::string_view word);

}  // namespace harness::inline support
