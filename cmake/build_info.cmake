# Run at every build: writes `output`, a build_info.cpp, if it would change. The other facts come as -D.
execute_process(COMMAND git -C ${source} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit unknown)
else()
  execute_process(COMMAND git -C ${source} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE edited ERROR_QUIET)
  if(edited)
    string(APPEND commit -dirty)
  endif()
endif()
string(STRIP "${flags}" flags)
file(CONFIGURE OUTPUT ${output} CONTENT [[
#include "harness/machine/build_info.hpp"

namespace harness::inline machine {

const BuildInfo& build_info() {
  static constexpr BuildInfo info{
      .version = "@version@",
      .commit = "@commit@",
      .build_type = "@build_type@",
      .compiler = "@compiler@",
      .flags = "@flags@",
      .cuda = "@cuda@",
      .cuda_architectures = "@architectures@",
      .libtorch = "@libtorch@",
  };
  return info;
}

}  // namespace harness::inline machine
]] @ONLY)
