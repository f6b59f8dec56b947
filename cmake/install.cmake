# What `cmake --install` puts into a prefix: the library for tips of one's own, found by find_package(tuneproof), and where
# nothing else was built the commands for programs of one's own.
set(library_targets tuneproof_library tuneproof_host)
if(NOT TUNEPROOF_LIBRARY_ONLY)
  list(APPEND library_targets tuneproof_cuda tuneproof_torch)
endif()
# A build without them would leave half an installation.
foreach(target IN LISTS library_targets)
  install(CODE "
    if(NOT EXISTS \"$<TARGET_FILE:${target}>\")
      message(FATAL_ERROR \"The library is not built; run first: cmake --build ${PROJECT_BINARY_DIR} --target library\")
    endif()" COMPONENT library)
endforeach()
set_target_properties(${library_targets} PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS ${library_targets} LIBRARY DESTINATION lib COMPONENT library)
install(FILES ${PROJECT_SOURCE_DIR}/app/tuneproof.hpp DESTINATION include/tuneproof COMPONENT library)
set(library_headers core)
if(NOT TUNEPROOF_LIBRARY_ONLY)
  list(APPEND library_headers cuda)
endif()
foreach(folder IN LISTS library_headers)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/harness/${folder}/ DESTINATION include/tuneproof/harness/${folder}
    COMPONENT library FILES_MATCHING PATTERN "*.hpp" PATTERN cuda_surroundings.hpp EXCLUDE)  # that is the worker's
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/cmake/tuneproofConfig.cmake DESTINATION lib/cmake/tuneproof COMPONENT library)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tuneproofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tuneproofConfigVersion.cmake DESTINATION lib/cmake/tuneproof COMPONENT library)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/tuneproof COMPONENT library)
if(TUNEPROOF_LIBRARY_ONLY)
  install(TARGETS tuneproof_without_steps RUNTIME DESTINATION bin COMPONENT library)
endif()
