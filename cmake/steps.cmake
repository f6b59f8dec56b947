# A folder's steps.txt names the files of its steps, one a line, in reading order: the one list of them. A file is a
# step of that id, in a namespace that is the id with an underscore for the slash; FOLDER/rungs is a table of steps.
# Writes generated/<folder>_steps.cpp, the table that <folder>::steps() returns; `files` becomes the files' names.
function(read_steps folder files)
  set(list ${PROJECT_SOURCE_DIR}/${folder}/steps.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} lines REGEX "^[^#]")
  set(sources "")
  set(declared "")
  set(table "")
  foreach(line IN LISTS lines)
    list(APPEND sources ${line}.cpp)
    if(line MATCHES "^(.*)/rungs$")
      string(APPEND declared "namespace ${folder}::${CMAKE_MATCH_1} {\nextern const std::span<const harness::Step> rungs;\n}\n")
      string(APPEND table "    ${CMAKE_MATCH_1}::rungs,\n")
    else()
      string(REPLACE "/" "_" space ${line})
      string(APPEND declared "namespace ${folder}::${space} {\nextern const harness::Step step;\n}\n")
      string(APPEND table "    {&${space}::step, 1},\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${folder}_steps.cpp @ONLY CONTENT [[
#include "@folder@/@folder@_steps.hpp"

#include <span>
#include <vector>

@declared@
namespace @folder@ {

harness::Steps steps() {
  static const auto all = [] {
    const std::span<const harness::Step> files[] = {
@table@};
    std::vector<const harness::Step*> steps;
    for (const auto file : files)
      for (const auto& step : file) steps.push_back(&step);
    return steps;
  }();
  return all;
}

}  // namespace @folder@
]])
  set(${files} ${sources} PARENT_SCOPE)
endfunction()
