# Writes generated/topics.cpp: the pages docs/topics/*.txt as C++ string literals, sorted by name.
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/topics/*.txt)
list(SORT pages)  # `topics()` promises it
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages})
set(topic_entries "")
foreach(page IN LISTS pages)
  cmake_path(GET page STEM topic)
  file(READ ${page} topic_text)
  string(APPEND topic_entries "    {\"topic/${topic}\", R\"topic(${topic_text})topic\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/topics.cpp @ONLY CONTENT [[
#include "harness/teach/topics.hpp"

namespace harness::teach {
namespace {

constexpr Topic pages[] = {
@topic_entries@};

}  // namespace

std::span<const Topic> topics() { return pages; }

}  // namespace harness::teach
]])
