// A step of a hundred milliseconds on a device, and what diagnose finds in it.
#pragma once

#include "tests/harness/trace/story.hpp"

#include "harness/trace/diagnosis.hpp"

#include <algorithm>
#include <string_view>

namespace tests {

inline const harness::trace::Finding* found(const harness::trace::Diagnosis& diagnosis, std::string_view id) {
  const auto at = std::ranges::find(diagnosis.findings, id, &harness::trace::Finding::id);
  return at == diagnosis.findings.end() ? nullptr : &*at;
}

/// `body` happens first; what is left is one long product.
template <class Body>
harness::trace::Diagnosis one_step(const Body& body, const char* device = "NVIDIA A100-SXM4-40GB") {
  Story story;
  story.step([&] {
    body(story);
    story.kernels("cutlass_80_tensorop_s1688gemm", 1, 100'000 - std::max(story.host, story.device) - 6);
    story.host = story.device;
  });
  return harness::trace::diagnose(story.trace(device));
}

}  // namespace tests
