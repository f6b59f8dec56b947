# Every third-party library, why it is here, and the version that is fetched where the system has none.
include(FetchContent)
find_package(CUDAToolkit 12.4 REQUIRED)

# Uses the installed package `name`; where there is none, fetches the pinned tag. Fetching needs a network.
function(require name version repository tag)
  find_package(${name} ${version} QUIET)
  if(${name}_FOUND)
    set_property(GLOBAL APPEND PROPERTY tuneproof_installed ${name})
  else()
    message(STATUS "${name} ${version} is not installed; fetching ${tag}")
    FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW TRUE SYSTEM)
    FetchContent_MakeAvailable(${name})
  endif()
endfunction()

set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
require(nlohmann_json 3.11 https://github.com/nlohmann/json.git v3.11.3)   # JSON: the field's default, one header
require(CLI11 2.1 https://github.com/CLIUtils/CLI11.git v2.4.2)            # arguments: help, subcommands, validation
require(fmt 9.1 https://github.com/fmtlib/fmt.git 10.2.1)                  # text: GCC 12 has no <format>
require(Catch2 3.4 https://github.com/catchorg/Catch2.git v3.7.1)          # tests: named sentences, matchers
require(nanoflann 1.4 https://github.com/jlblancoc/nanoflann.git v1.5.5)   # k-d tree of the neighbour graphs
find_package(Boost 1.74 REQUIRED)                                          # Boost.Math: binomial and normal distributions

# LibTorch comes from the Python wheel `torch`, or from Torch_DIR. Its package sets CUDA flags for the whole
# directory; the function's scope keeps them away from our own kernels.
set(TORCH_CUDA_ARCH_LIST "8.0;9.0+PTX")  # without it Torch's files ask nvcc 13 for an architecture it dropped
function(find_torch)
  find_package(Torch 2.11 REQUIRED)
  add_library(torch_interface INTERFACE)
  target_include_directories(torch_interface SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_link_libraries(torch_interface INTERFACE ${TORCH_LIBRARIES} CUDA::cudart)
  # LibTorch ships its own fmt; header-only, it cannot clash with the system's at link time.
  target_compile_definitions(torch_interface INTERFACE FMT_HEADER_ONLY)
endfunction()
find_torch()
