# What scripts/bundle.sh carries to another machine: the programs, the tests that run code on a device, in LibTorch or in
# processes of their own, and the shared libraries that these need. install_wheel says which of these the machine has.

# The other tests read files and numbers alone, or need the stand-in: they say nothing about another machine, and are many MB.
set(programs_of_tests
  models_tests stgym_tests tests_gpu tests_libtorch tests_parallel tests_steps tests_support tests_worker tests_workloads
  device_worker fake_nvtx)
add_custom_target(bundle_programs DEPENDS tuneproof tuneproof-worker ${programs_of_tests})
# In a bundle libraries lie in lib/; in a wheel beside bin/, and torch's where the environment has them; in the build where they were
# found. One path for all: one that an installation changes ends with a colon before, and an empty entry is the current folder.
file(RELATIVE_PATH torch_from_here ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${TORCH_INSTALL_PREFIX}/lib)
set_target_properties(tuneproof tuneproof-worker PROPERTIES BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "$ORIGIN/lib;$ORIGIN/../lib;$ORIGIN/../../torch/lib;$ORIGIN/../../nvidia/cu${CUDAToolkit_VERSION_MAJOR}/lib")
set_property(TARGET tuneproof-worker APPEND PROPERTY
  INSTALL_RPATH "$ORIGIN/${torch_from_here};$<TARGET_FILE_DIR:CUDA::cudart>")
set_target_properties(${programs_of_tests} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
install(TARGETS tuneproof tuneproof-worker RUNTIME_DEPENDENCY_SET libraries RUNTIME DESTINATION . COMPONENT bundle EXCLUDE_FROM_ALL)
install(TARGETS ${programs_of_tests} RUNTIME_DEPENDENCY_SET libraries
  RUNTIME DESTINATION tests COMPONENT bundle EXCLUDE_FROM_ALL
  LIBRARY DESTINATION tests COMPONENT bundle EXCLUDE_FROM_ALL)
install(RUNTIME_DEPENDENCY_SET libraries ${libraries_of_the_machine} LIBRARY DESTINATION lib COMPONENT bundle EXCLUDE_FROM_ALL)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION . COMPONENT bundle EXCLUDE_FROM_ALL)
