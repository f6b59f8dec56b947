# A folder's steps.txt names its steps, one id a line, in reading order: the one list of them. Each id is a file,
# and the namespace in it is the id with an underscore for the slash.
# Writes generated/<folder>_steps.cpp, the table that <folder>::steps() returns; `files` becomes the files' names.
function(read_steps folder files)
  set(list ${PROJECT_SOURCE_DIR}/${folder}/steps.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} ids REGEX "^[^#]")
  set(sources "")
  set(declared "")
  set(table "")
  foreach(id IN LISTS ids)
    list(APPEND sources ${id}.cpp)
    string(REPLACE "/" "_" space ${id})
    string(APPEND declared "namespace ${folder}::${space} {\nextern const harness::Step step;\n}\n")
    string(APPEND table "    &${space}::step,\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${folder}_steps.cpp @ONLY CONTENT [[
#include "@folder@/steps.hpp"

@declared@
namespace @folder@ {
namespace {

constexpr const harness::Step* all[] = {
@table@};

}  // namespace

harness::Steps steps() { return all; }

}  // namespace @folder@
]])
  set(${files} ${sources} PARENT_SCOPE)
endfunction()
