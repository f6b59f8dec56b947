# Writes generated/configurations.cpp: workloads/stgym/configurations/*.json as C++ string literals, sorted by name.
file(GLOB configurations CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/workloads/stgym/configurations/*.json)
list(SORT configurations)  # `shipped_configurations()` promises it
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${configurations})
set(configuration_entries "")
foreach(file IN LISTS configurations)
  cmake_path(GET file STEM configuration)
  file(READ ${file} configuration_text)
  string(APPEND configuration_entries "    {\"${configuration}\", R\"json(${configuration_text})json\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/configurations.cpp @ONLY CONTENT [[
#include "workloads/stgym/space/shipped.hpp"

namespace workloads::stgym::space {
namespace {

constexpr Shipped all_shipped[] = {
@configuration_entries@};

}  // namespace

std::span<const Shipped> shipped_configurations() { return all_shipped; }

}  // namespace workloads::stgym::space
]])
