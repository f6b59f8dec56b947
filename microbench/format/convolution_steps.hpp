// What the steps on settings of convolutions share, and the source of those on channels_last.
#pragma once

#include "harness/core/step.hpp"
#include "harness/libtorch/precision.hpp"

namespace microbench {

/// The source of the steps on benchmark mode, and how far apart cuDNN's algorithms may lie.
inline constexpr harness::Source tuner_guide{
    .title = "PyTorch Performance Tuning Guide",
    .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
    .where = "Enable cuDNN auto-tuner"};
inline constexpr harness::Tolerance tuner_tolerance{
    .relative = 1e-2, .why = "Winograd's scheme in FP16 or TF32 rounds more than a plain sum"};

inline constexpr std::string_view memory_format_title = "Channels Last Memory Format in PyTorch";
inline constexpr std::string_view memory_format_url =
    "https://docs.pytorch.org/tutorials/intermediate/memory_format_tutorial.html";

}  // namespace microbench
