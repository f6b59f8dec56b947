# Writes `output`: the catalogue and the source text of each of its steps as C++ string literals.
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

set(open "R\"embedded(")
set(close ")embedded\"")
file(READ ${catalogue} catalogue_text)
string(JSON last LENGTH ${catalogue_text} steps)
math(EXPR last "${last} - 1")
set(entries "")
foreach(i RANGE ${last})
  string(JSON id GET ${catalogue_text} steps ${i} id)
  source_of(${id} file)
  if(file)
    file(READ ${source}/${file} text)
    string(APPEND entries "    {\"${id}\", \"${file}\", ${open}${text}${close}},\n")
  endif()
endforeach()
set(content "#include \"harness/cli/embedded.hpp\"

namespace harness {
namespace {

constexpr StepSource sources[] = {
${entries}};

}  // namespace

std::string_view embedded_catalogue() { return ${open}${catalogue_text}${close}; }

std::span<const StepSource> embedded_sources() { return sources; }

}  // namespace harness
")
if(EXISTS ${output})
  file(READ ${output} present)
endif()
if(NOT "${present}" STREQUAL "${content}")
  file(WRITE ${output} "${content}")
endif()
