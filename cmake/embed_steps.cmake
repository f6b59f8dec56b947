# Writes `output`: the catalogue and the source texts of each of its steps as C++ string literals.
# A step's source is <id>.cpp below microbench/ or workloads/, or the file of its folder that has its id.
function(source_of id result)
  foreach(folder microbench workloads)
    if(EXISTS ${source}/${folder}/${id}.cpp)
      set(${result} ${folder}/${id}.cpp PARENT_SCOPE)
      return()
    endif()
  endforeach()
  string(REGEX REPLACE "/.*" "" subject ${id})
  file(GLOB candidates RELATIVE ${source} ${source}/microbench/${subject}/*.cpp ${source}/workloads/${subject}/*.cpp)
  foreach(candidate IN LISTS candidates)
    file(STRINGS ${source}/${candidate} line REGEX "\\.id = \"${id}\"")
    if(line)
      set(${result} ${candidate} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

# The files of the workload that ask for the switch that a rung's file names: what the rung changes.
function(sources_of_switch file result)
  file(STRINGS ${source}/${file} line REGEX "Switches::[a-z_0-9]+" LIMIT_COUNT 1)
  set(found "")
  if(line)
    string(REGEX REPLACE ".*Switches::([a-z_0-9]+).*" "\\1" switch "${line}")
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

# The header whose opening comment a step's lesson takes in: "// Lesson: FILE".
function(source_of_lesson file result)
  file(STRINGS ${source}/${file} line REGEX "^// Lesson: [a-z_0-9/]+[.]hpp$" LIMIT_COUNT 1)
  string(REPLACE "// Lesson: " "" found "${line}")
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# The files with the step as a function in Python: "// The function in Python: FILE, FILE".
function(sources_in_python file result)
  file(STRINGS ${source}/${file} line REGEX "^// The function in Python: [a-z_0-9/., ]+[.]cpp$" LIMIT_COUNT 1)
  string(REPLACE "// The function in Python: " "" found "${line}")
  string(REPLACE ", " ";" found "${found}")
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

set(open "R\"embedded(")
set(close ")embedded\"")
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
    sources_of_switch(${own} others)
    source_of_lesson(${own} lesson)
    sources_in_python(${own} python)
    set(files ${own} ${others} ${python} ${lesson})
    list(REMOVE_DUPLICATES files)
    foreach(file IN LISTS files)
      file(READ ${source}/${file} text)
      string(APPEND entries "    {\"${id}\", \"${file}\", ${open}${text}${close}},\n")
    endforeach()
  endif()
endforeach()
set(content "#include \"app/embedded.hpp\"

namespace app {
namespace {

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
