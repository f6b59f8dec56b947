# Every third-party library and why it is here; device_dependencies.cmake has what the steps need beside these.
# Versions are pinned in scripts/versions.sh, read below.
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
require(simdjson simdjson simdjson/simdjson)           # traces: 35 MB of JSON in a blink
require(pugixml pugixml zeux/pugixml)                   # JUnit: XML with its escapes done right

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
