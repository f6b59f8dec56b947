# Every third-party library and why it is here. Versions are pinned in scripts/versions.sh, read below.
include(FetchContent)

set(pins ${PROJECT_SOURCE_DIR}/scripts/versions.sh)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pins})
file(STRINGS ${pins} pin_lines REGEX "^[a-z0-9_]+=[^\"']+$")
foreach(line IN LISTS pin_lines)
  string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${line}")
  set(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
endforeach()

# A compiler cache, where there is one, makes a second clean build a matter of seconds. GCC's precompiled headers
# need the two kinds of sloppiness.
find_program(ccache_program ccache)
if(ccache_program AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ccache_program})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
endif()

# Uses the installed package, whose name begins `prefix`'s pins; where there is none, fetches the pinned tag (needs git
# and a network; the fetched libraries are SYSTEM: their warnings are not ours).
macro(require package prefix repository)
  find_package(${package} ${${prefix}_minimum} QUIET)
  if(NOT ${package}_FOUND)
    message(STATUS "${package} ${${prefix}_minimum} is not installed: fetching ${${prefix}_tag}")
    FetchContent_Declare(${package} GIT_REPOSITORY https://github.com/${repository}.git GIT_TAG ${${prefix}_tag}
      GIT_SHALLOW TRUE SYSTEM)
    FetchContent_MakeAvailable(${package})
  endif()
endmacro()

set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
require(nlohmann_json nlohmann_json nlohmann/json)     # JSON: the field's default, one header
require(CLI11 cli11 CLIUtils/CLI11)                    # arguments: help, subcommands, validation
require(fmt fmt fmtlib/fmt)                            # text: GCC 12 has no <format>
require(Catch2 catch2 catchorg/Catch2)                 # tests: named sentences, matchers
require(nanoflann nanoflann jlblancoc/nanoflann)       # k-d tree of the neighbour graphs
require(simdjson simdjson simdjson/simdjson)           # traces: 35 MB of JSON in a blink
require(pugixml pugixml zeux/pugixml)                   # JUnit: XML with its escapes done right
set(BENCHMARK_ENABLE_TESTING OFF)  # of a fetched one
set(BENCHMARK_ENABLE_INSTALL OFF)
require(benchmark benchmark google/benchmark)          # prices: flags, formats, repetitions that people know
if(DEFINED catch2_SOURCE_DIR)
  list(APPEND CMAKE_MODULE_PATH ${catch2_SOURCE_DIR}/extras)  # catch_discover_tests
endif()

# libdeflate: unpacks .gz traces. Debian's package has no CMake file.
find_path(libdeflate_include libdeflate.h)
find_library(libdeflate_library deflate)
add_library(libdeflate INTERFACE)
if(libdeflate_include AND libdeflate_library)
  target_include_directories(libdeflate SYSTEM INTERFACE ${libdeflate_include})
  target_link_libraries(libdeflate INTERFACE ${libdeflate_library})
else()
  message(STATUS "libdeflate is not installed: fetching ${libdeflate_tag}")
  set(LIBDEFLATE_BUILD_SHARED_LIB OFF)
  set(LIBDEFLATE_BUILD_GZIP OFF)
  FetchContent_Declare(libdeflate_source GIT_REPOSITORY https://github.com/ebiggers/libdeflate.git
    GIT_TAG ${libdeflate_tag} GIT_SHALLOW TRUE SYSTEM)
  FetchContent_MakeAvailable(libdeflate_source)
  target_link_libraries(libdeflate INTERFACE libdeflate_static)
endif()

# Boost.Math: binomial and normal distributions. Fetched, it is Boost.Math alone, under the name of the whole.
find_package(Boost ${boost_minimum} CONFIG QUIET)
if(NOT Boost_FOUND)
  set(boost_math_minimum ${boost_minimum})
  require(boost_math boost_math boostorg/math)
  add_library(boost_headers INTERFACE)
  target_link_libraries(boost_headers INTERFACE Boost::math)
  add_library(Boost::headers ALIAS boost_headers)
endif()

# SQLite: the history file, which several jobs may write at once. Its repository needs Tcl to build, so it is not fetched.
find_package(SQLite3 ${sqlite_minimum} QUIET)
if(NOT SQLite3_FOUND)
  message(FATAL_ERROR "SQLite ${sqlite_minimum} with its headers is missing (Debian: libsqlite3-dev).")
endif()

# SHA-256 of the machine's fingerprint: libmd has the digests of the BSDs in 60 kB, where libcrypto brings 5 MB into each
# bundle. Optional: without it the fingerprint has no hash.
find_library(libmd_library md)
find_path(libmd_headers sha2.h)
if(libmd_library AND libmd_headers)
  add_library(libmd UNKNOWN IMPORTED)
  set_target_properties(libmd PROPERTIES IMPORTED_LOCATION ${libmd_library} INTERFACE_INCLUDE_DIRECTORIES ${libmd_headers})
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
  # LibTorch ships its own fmt; header-only, it cannot clash with the system's at link time.
  target_compile_definitions(torch_interface INTERFACE FMT_HEADER_ONLY)
  # Its libraries were built without assertions, and with them its headers give some classes another layout.
  target_compile_definitions(torch_interface INTERFACE $<$<CONFIG:Debug>:NDEBUG>)
  # Its checks put __FILE__ into our programs: without the folder of this machine (see scripts/bundle.sh).
  target_compile_options(torch_interface INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${TORCH_INSTALL_PREFIX}=torch>)
  set_property(GLOBAL PROPERTY tuneproof_torch_version ${Torch_VERSION})
  set(TORCH_INSTALL_PREFIX ${TORCH_INSTALL_PREFIX} PARENT_SCOPE)
endfunction()
find_torch()
message(STATUS "LibTorch: ${TORCH_INSTALL_PREFIX}, CUDA toolkit ${CUDAToolkit_VERSION}: ${CUDAToolkit_BIN_DIR}")
