# Files of the project as string literals of generated sources: the programs read none of them. When one of the files
# changes, the build configures anew.

# The text of the files, one behind the other, in `result`.
function(read_files result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set(all "")
  foreach(file IN LISTS ARGN)
    file(READ ${file} text)
    string(APPEND all "${text}")
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# Writes generated/<function>.cpp, where `function`, which `header` declares, is the text of the files that follow.
function(embed_text function namespace header)
  read_files(text ${ARGN})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${function}.cpp @ONLY CONTENT [[
#include "@header@"

namespace @namespace@ {

std::string_view @function@() { return R"embedded(@text@)embedded"; }

}  // namespace @namespace@
]])
endfunction()

# Writes generated/<function>.cpp, where `function`, which `header` declares, is all files of `pattern`, sorted: a span
# of `type`, each the file's name (`part` of its path, STEM, FILENAME or PLACE, which is folder/stem, behind `prefix`) and its text.
function(embed_files function namespace header type pattern part prefix)
  file(GLOB files CONFIGURE_DEPENDS ${pattern})
  list(SORT files)
  set(entries "")
  foreach(file IN LISTS files)
    if(part STREQUAL PLACE)
      cmake_path(GET file STEM name)
      cmake_path(GET file PARENT_PATH folder)
      cmake_path(GET folder FILENAME folder)
      string(PREPEND name ${folder}/)
    else()
      cmake_path(GET file ${part} name)
    endif()
    read_files(text ${file})
    string(APPEND entries "    {\"${prefix}${name}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${function}.cpp @ONLY CONTENT [[
#include "@header@"

namespace @namespace@ {
namespace {

constexpr @type@ all_@function@[] = {
@entries@};

}  // namespace

std::span<const @type@> @function@() { return all_@function@; }

}  // namespace @namespace@
]])
endfunction()
