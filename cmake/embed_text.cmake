# Writes generated/own_text.cpp: our own documentation as one text, for the GPT to learn where it is given no file.
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/docs/topics/*.txt)
list(SORT pages)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages})
set(texts "")
foreach(page IN LISTS pages)
  file(READ ${page} text)
  string(APPEND texts "    R\"page(${text})page\"\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/own_text.cpp @ONLY CONTENT [[
#include "workloads/gpt/data.hpp"

namespace workloads::gpt {

std::string_view own_text() {
  return
@texts@;
}

}  // namespace workloads::gpt
]])
