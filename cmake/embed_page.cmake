# Writes generated/page_template.cpp: the page of `tuneproof report` with its style, its scripts and the chart library
# (Vega-Lite, out of the Python wheel of scripts/versions.sh), split where the data go.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(charts ${PROJECT_BINARY_DIR}/generated/charts-${vl_convert_python_version}.js)
if(NOT EXISTS ${charts})
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -c "import importlib.metadata, sys, vl_convert
version = importlib.metadata.version('vl-convert-python')
assert version == sys.argv[1], 'it is version ' + version
open(sys.argv[2], 'w', encoding='utf-8').write(vl_convert.javascript_bundle('window.vegaEmbed = vegaEmbed;'))"
      ${vl_convert_python_version} ${charts}.new
    RESULT_VARIABLE failed ERROR_VARIABLE said)
  if(failed)
    message(FATAL_ERROR "The charts of `tuneproof report` need the Python package vl-convert-python "
      "${vl_convert_python_version} (scripts/setup.sh installs it; this is ${Python3_EXECUTABLE}): ${said}")
  endif()
  file(RENAME ${charts}.new ${charts})
endif()

set(assets ${PROJECT_SOURCE_DIR}/harness/pages/assets)
# In the order in which they need each other.
set(page_scripts text dom table chart forest machine ladder steps samples prices diagnosis comparison history simulated page)
list(TRANSFORM page_scripts PREPEND ${assets}/)
list(TRANSFORM page_scripts APPEND .js)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${page_scripts} ${assets}/page.html ${assets}/page.css ${assets}/licenses.txt)
set(scripts "")
foreach(script IN LISTS page_scripts)
  file(READ ${script} text)
  string(APPEND scripts "${text}")
endforeach()
file(READ ${assets}/page.html page)
file(READ ${assets}/page.css style)
file(READ ${assets}/licenses.txt licenses)
file(READ ${charts} charts_script)
foreach(script IN ITEMS scripts charts_script)
  if("${${script}}" MATCHES "</script|<!--")
    message(FATAL_ERROR "A script of the page would end its own element.")
  endif()
endforeach()
string(FIND "${page}" "@data@" at)
string(SUBSTRING "${page}" 0 ${at} page_before)
math(EXPR at "${at} + 6")
string(SUBSTRING "${page}" ${at} -1 page_behind)
foreach(part IN ITEMS page_before page_behind)
  foreach(name IN ITEMS style licenses scripts charts_script)
    string(REPLACE "@${name}@" "${${name}}" ${part} "${${part}}")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/page_template.cpp @ONLY CONTENT [[
#include "harness/pages/report.hpp"

namespace harness::pages {

PageTemplate page_template() { return {R"page(@page_before@)page", R"page(@page_behind@)page"}; }

}  // namespace harness::pages
]])
