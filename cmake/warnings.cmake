# The compiler flags of our own code. `dev` and CI turn warnings into errors.
option(TUNEPROOF_WARNINGS_AS_ERRORS "Treat warnings in our own code as errors" OFF)

add_library(warnings INTERFACE)
# `scripts/build.sh library` looks for none, since that takes an eighth of its time: the whole build has looked.
if(NOT TUNEPROOF_LIBRARY_ONLY)
  target_compile_options(warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
endif()
# Messages and assertions name files below the project, not folders of the machine that built them.
target_compile_options(warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
if(TUNEPROOF_WARNINGS_AS_ERRORS)
  target_compile_options(warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
