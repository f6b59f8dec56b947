# Writes generated/learn.cpp: the course, docs/learn/*.txt, docs/learn/traces/*.json and docs/learn/recordings/*.json, as C++ string literals,
# sorted by name.
function(literals pattern result)
  file(GLOB files CONFIGURE_DEPENDS ${pattern})
  list(SORT files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(entries "")
  foreach(file IN LISTS files)
    cmake_path(GET file FILENAME name)
    string(REGEX REPLACE "\\.txt$" "" name ${name})
    file(READ ${file} text)
    string(APPEND entries "    {\"${name}\", R\"learn(${text})learn\"},\n")
  endforeach()
  set(${result} "${entries}" PARENT_SCOPE)
endfunction()
literals(${PROJECT_SOURCE_DIR}/docs/learn/*.txt unit_entries)
literals(${PROJECT_SOURCE_DIR}/docs/learn/traces/*.json trace_entries)
literals(${PROJECT_SOURCE_DIR}/docs/learn/recordings/*.json recording_entries)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/learn.cpp @ONLY CONTENT [[
#include "harness/teach/course.hpp"

namespace harness::teach {
namespace {

constexpr Embedded course_units[] = {
@unit_entries@};
constexpr Embedded traces[] = {
@trace_entries@};
constexpr Embedded recordings[] = {
@recording_entries@};

}  // namespace

std::span<const Embedded> course_texts() { return course_units; }
std::span<const Embedded> course_traces() { return traces; }
std::span<const Embedded> course_recordings() { return recordings; }

}  // namespace harness::teach
]])
