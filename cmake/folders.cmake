# A folder's sources need no list: a file that is added or removed configures the build anew.

# The library of a folder of harness/: harness_<folder>, of all sources and headers there. ALSO: further sources. BUT:
# sources that are not taken, or not always. What it links stands in the folder's own CMakeLists.txt.
function(harness_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "ALSO;BUT")
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp *.cu)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.hpp)
  list(REMOVE_ITEM sources "" ${given_BUT})
  add_library(harness_${folder} STATIC ${given_ALSO} ${sources})
  target_sources(harness_${folder} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  set_target_properties(harness_${folder} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()

# A program of all tests (*.test.cpp) of a folder. ALSO and BUT as above. LINK: what it links beside Catch2, whose main()
# it takes unless it has its OWN_MAIN.
function(test_program program)
  cmake_parse_arguments(PARSE_ARGV 1 given "OWN_MAIN" "" "ALSO;BUT;LINK")
  file(GLOB tests CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.test.cpp)
  list(REMOVE_ITEM tests "" ${given_BUT})
  add_executable(${program} ${given_ALSO} ${tests})
  set(catch Catch2::Catch2WithMain)
  if(given_OWN_MAIN)
    set(catch Catch2::Catch2)
  endif()
  target_link_libraries(${program} PRIVATE ${given_LINK} ${catch} warnings)
endfunction()
