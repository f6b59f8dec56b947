// The source of the steps on channels_last.
#pragma once

#include <string_view>

namespace microbench {

inline constexpr std::string_view memory_format_title = "Channels Last Memory Format in PyTorch";
inline constexpr std::string_view memory_format_url =
    "https://docs.pytorch.org/tutorials/intermediate/memory_format_tutorial.html";

}  // namespace microbench
