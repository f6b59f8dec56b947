// The course as it was put into the program when it was built: cmake/embed_learn.cmake writes the
// definitions.
#pragma once

#include <span>
#include <string_view>

namespace harness::teach {

struct Embedded {
  std::string_view name;
  std::string_view text;
};

/// docs/learn/*.txt, sorted by name, which does without ".txt": "11_clock".
std::span<const Embedded> course_texts();

/// docs/learn/traces/*.json, sorted by name: "busy.json". Made up, not recorded.
std::span<const Embedded> course_traces();

}  // namespace harness::teach
