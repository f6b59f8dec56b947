# Writes `output`: the catalogue and the source texts of each of its steps as C++ string literals.
# A step's source is <id>.cpp below microbench/ or workloads/, or its part of the table rungs.cpp in its folder.
function(source_of id result)
  string(REGEX REPLACE "/.*" "/rungs" table ${id})
  foreach(candidate microbench/${id} workloads/${id} workloads/${table})
    if(EXISTS ${source}/${candidate}.cpp)
      set(${result} ${candidate}.cpp PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

# The text of a file, and the line that it begins at. Of a file that holds several steps, or several lessons, it is
# the part between two empty lines, or an end of the table, in which `key` stands, moved to the left margin.
function(part_of file key text line)
  file(READ ${source}/${file} part)
  set(first 1)
  string(FIND "${part}" "${key}" at)
  if(file MATCHES "/[a-z_]*rungs[.][ch]pp$" AND at GREATER -1)
    string(SUBSTRING "${part}" 0 ${at} before)
    string(FIND "${before}" "\n\n" begin REVERSE)
    string(FIND "${before}" "{\n    //" head REVERSE)
    if(head GREATER begin)
      set(begin ${head})
    endif()
    math(EXPR begin "${begin} + 2")
    string(SUBSTRING "${part}" 0 ${begin} before)
    string(REGEX MATCHALL "\n" line_ends "${before}")
    list(LENGTH line_ends above)
    math(EXPR first "${above} + 1")
    string(SUBSTRING "${part}" ${begin} -1 part)
    string(FIND "${part}" "\n\n" end)
    math(EXPR end "${end} + 1")
    string(SUBSTRING "${part}" 0 ${end} part)
    string(REGEX REPLACE "\n};\n$" "\n" part "${part}")
    if(part MATCHES "^( +)")
      string(REPLACE "\n${CMAKE_MATCH_1}" "\n" part "\n${part}")
      string(SUBSTRING "${part}" 1 -1 part)
    endif()
  endif()
  set(${text} "${part}" PARENT_SCOPE)
  set(${line} ${first} PARENT_SCOPE)
endfunction()

# The files of the workload that ask for the switch that a rung names: what the rung changes.
function(sources_of_switch file text result)
  set(found "")
  if(text MATCHES "Switches::([a-z_0-9]+)")
    set(switch ${CMAKE_MATCH_1})
    cmake_path(GET file PARENT_PATH folder)
    file(GLOB candidates RELATIVE ${source}
      ${source}/${folder}/*.cpp ${source}/${folder}/model/*.cpp ${source}/${folder}/train/*.cpp)
    list(SORT candidates)
    foreach(candidate IN LISTS candidates)
      file(STRINGS ${source}/${candidate} asked REGEX "switches_?[.]${switch}( [^=]|[^ a-z_0-9])")
      if(asked AND NOT candidate STREQUAL file)
        list(APPEND found ${candidate})
      endif()
    endforeach()
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# The headers whose lessons a step's lesson takes in: "// Lesson: FILE".
function(sources_of_lesson text result)
  string(REGEX MATCHALL "// Lesson: [a-z_0-9/]+[.]hpp" found "${text}")
  list(TRANSFORM found REPLACE "// Lesson: " "")
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# The files with the step as a function in Python: "// The function in Python: FILE, FILE".
function(sources_in_python text result)
  set(found "")
  if(text MATCHES "// The function in Python: ([a-z_0-9/., ]+[.]cpp)\n")
    string(REPLACE ", " ";" found "${CMAKE_MATCH_1}")
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Adds to `entries` a text that explains the step.
function(add_source id file key)
  part_of(${file} "${key}" text line)
  set(entries "${entries}    {\"${id}\", \"${file}\", ${open}${text}${close}, ${line}},\n" PARENT_SCOPE)
endfunction()

set(open "R\"embedded(")
set(close ")embedded\"sv")  # sv: the length is known, and the compiler counts no characters
file(READ ${catalogue} catalogue_text)
string(JSON last LENGTH ${catalogue_text} steps)
math(EXPR last "${last} - 1")
set(ids "")
foreach(i RANGE ${last})
  string(JSON id GET ${catalogue_text} steps ${i} id)
  list(APPEND ids ${id})
endforeach()
list(SORT ids)  # the program searches by id
set(entries "")
foreach(id IN LISTS ids)
  source_of(${id} own)
  if(own)
    string(REGEX REPLACE ".*/" "" name ${id})
    part_of(${own} ".id = \"${id}\"" text line)
    sources_of_switch(${own} "${text}" others)
    sources_of_lesson("${text}" lessons)
    sources_in_python("${text}" python)
    set(files ${own} ${others} ${python})
    list(REMOVE_DUPLICATES files)
    foreach(file IN LISTS files)
      add_source(${id} ${file} ".id = \"${id}\"")
    endforeach()
    foreach(file IN LISTS lessons)
      add_source(${id} ${file} "Step ${name}_step(")
    endforeach()
  endif()
endforeach()
set(content "#include \"app/embedded.hpp\"

namespace app {
namespace {

using namespace std::string_view_literals;

constexpr harness::catalogue::StepSource sources[] = {
${entries}};

}  // namespace

std::string_view embedded_catalogue() { return ${open}${catalogue_text}${close}; }

std::span<const harness::catalogue::StepSource> embedded_sources() { return sources; }

}  // namespace app
")
if(EXISTS ${output})
  file(READ ${output} present)
endif()
if(NOT "${present}" STREQUAL "${content}")
  file(WRITE ${output} "${content}")
endif()
