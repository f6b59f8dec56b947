// What the user may have meant by a misspelt name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness::inline support {

/// The candidates that look most like the word, best first, at most `most`: those with a part that few
/// edits make of it. Empty where nothing is near.
std::vector<std::string> near_misses(std::string_view word, std::span<const std::string> candidates,
                                     std::size_t most = 3);

/// "; did you mean 'a', 'b' or 'c'?", or nothing where nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace harness::inline support
