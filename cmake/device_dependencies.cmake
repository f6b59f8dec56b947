# What the steps, their devices and the tests need beside dependencies.cmake.
require(Catch2 catch2 catchorg/Catch2)                 # tests: named sentences, matchers
require(nanoflann nanoflann jlblancoc/nanoflann)       # k-d tree of the neighbour graphs
set(BENCHMARK_ENABLE_TESTING OFF)  # of a fetched one
set(BENCHMARK_ENABLE_INSTALL OFF)
require(benchmark benchmark google/benchmark)          # prices: flags, formats, repetitions that people know
if(DEFINED catch2_SOURCE_DIR)
  list(APPEND CMAKE_MODULE_PATH ${catch2_SOURCE_DIR}/extras)  # catch_discover_tests
endif()

# PNG images for the U-Net: libpng, whose reader has seen hostile files for decades. Its static library where there is one:
# a bundle's machine may have none. Its repository needs zlib's beside it, so it is not fetched.
find_library(libpng_library NAMES libpng16.a libpng.a png16 png)
find_library(zlib_library NAMES libz.a z)
find_path(libpng_headers png.h)
if(NOT libpng_library OR NOT zlib_library OR NOT libpng_headers)
  message(FATAL_ERROR "libpng with its headers is missing (Debian: libpng-dev).")
endif()
add_library(libpng UNKNOWN IMPORTED)
set_target_properties(libpng PROPERTIES IMPORTED_LOCATION ${libpng_library} INTERFACE_INCLUDE_DIRECTORIES ${libpng_headers}
  INTERFACE_LINK_LIBRARIES "${zlib_library};m")

# CUDA: cudart for streams, events and copies; the version of the toolkit whose nvcc compiles.
find_package(CUDAToolkit ${cuda_minimum} REQUIRED)

# CUTLASS (BSD-3): products on tensor cores that read their rows by number, which no operator of LibTorch does. Headers
# only, out of the wheel nvidia-cutlass or a clone of its repository.
find_path(cutlass_headers cutlass/cutlass.h HINTS ENV CUTLASS_DIR PATH_SUFFIXES cutlass_library/source/include include)
if(NOT cutlass_headers)
  message(FATAL_ERROR "CUTLASS ${nvidia_cutlass_version} is missing: run scripts/setup.sh, or name its folder in CUTLASS_DIR.")
endif()

# LibTorch, out of the Python wheel `torch` or from Torch_DIR. Its package sets CUDA flags for the directory that calls
# it, prints 20 lines and warns of two things that do not matter here (that it ignores CMAKE_CUDA_ARCHITECTURES, and that
# Kineto, which lies inside libtorch_cpu, is no library of its own); the function's scope keeps all of that away from us.
function(find_torch)
  set(CMAKE_MESSAGE_LOG_LEVEL ERROR)
  set(TORCH_CUDA_ARCH_LIST "8.0;9.0+PTX")  # without it Torch's files ask nvcc 13 for an architecture it dropped
  cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH CUDA_TOOLKIT_ROOT_DIR)  # else its old FindCUDA searches on its own
  string(REGEX REPLACE "\\.[0-9]+$" "" minor ${torch_version})
  if(DEFINED tuneproof_torch_minor)  # build.sh's, which TUNEPROOF_TORCH may have changed
    set(minor ${tuneproof_torch_minor})
  endif()
  find_package(Torch ${minor} REQUIRED)
  set_property(GLOBAL PROPERTY tuneproof_torch_version ${Torch_VERSION})
  add_library(torch_interface INTERFACE)
  target_include_directories(torch_interface SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_link_libraries(torch_interface INTERFACE ${TORCH_LIBRARIES} CUDA::cudart)
  # Let the linker look beside LibTorch first: an installed toolkit may hold an older NCCL than LibTorch calls.
  file(GLOB beside ${TORCH_INSTALL_PREFIX}/../nvidia/*/lib)
  list(TRANSFORM beside PREPEND LINKER:-rpath-link=)
  target_link_options(torch_interface INTERFACE ${beside})
  # LibTorch ships its own fmt; header-only, it cannot clash with the system's at link time.
  target_compile_definitions(torch_interface INTERFACE FMT_HEADER_ONLY)
  # Its libraries were built without assertions, and with them its headers give some classes another layout.
  target_compile_definitions(torch_interface INTERFACE $<$<CONFIG:Debug>:NDEBUG>)
  # Its checks put __FILE__ into our programs: without the folder of this machine (see scripts/bundle.sh).
  target_compile_options(torch_interface INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${TORCH_INSTALL_PREFIX}=torch>)
  set(TORCH_INSTALL_PREFIX ${TORCH_INSTALL_PREFIX} PARENT_SCOPE)
endfunction()
find_torch()
message(STATUS "LibTorch: ${TORCH_INSTALL_PREFIX}, CUDA toolkit ${CUDAToolkit_VERSION}: ${CUDAToolkit_BIN_DIR}")
