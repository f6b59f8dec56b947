// How this program was built; the text is written by cmake/build_info.cmake at every build.
#pragma once

#include <string_view>

namespace harness::inline machine {

struct BuildInfo {
  std::string_view version;
  std::string_view commit;  // "-dirty" behind it where the tree was edited; "unknown" outside a git tree
  std::string_view build_type;
  std::string_view compiler;
  std::string_view flags;
  std::string_view cuda;                // the toolkit's version
  std::string_view cuda_architectures;  // as CMake writes them: "80-real;90-virtual"
  std::string_view libtorch;
};

const BuildInfo& build_info();

}  // namespace harness::inline machine
