# The two programs: `tuneproof` starts at once and needs no LibTorch; `tuneproof-worker` holds the steps.
set(generated ${PROJECT_BINARY_DIR}/generated)

# What both say about themselves. The commit may change without any file of a target changing, so this runs at
# every build; it writes nothing where nothing changed.
get_property(torch_version GLOBAL PROPERTY tuneproof_torch_version)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
add_custom_target(build_info_text
  COMMAND ${CMAKE_COMMAND} -Dsource=${PROJECT_SOURCE_DIR} -Doutput=${generated}/build_info.cpp
          -Dversion=${PROJECT_VERSION} -Dbuild_type=${CMAKE_BUILD_TYPE}
          "-Dcompiler=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
          "-Dflags=${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}"
          -Dcuda=${CUDAToolkit_VERSION} "-Darchitectures=${CMAKE_CUDA_ARCHITECTURES}" -Dlibtorch=${torch_version}
          -P ${PROJECT_SOURCE_DIR}/cmake/build_info.cmake
  BYPRODUCTS ${generated}/build_info.cpp
  COMMENT "Noting the commit"
  VERBATIM)
add_library(build_info STATIC ${generated}/build_info.cpp)
target_link_libraries(build_info PUBLIC harness)
add_dependencies(build_info build_info_text)

add_executable(tuneproof-worker worker.cpp)
target_link_libraries(tuneproof-worker PRIVATE microbench_steps workloads_steps prices harness_worker build_info warnings)

# The worker's table of steps and their source text go into `tuneproof`. Every step file is part of the worker,
# so the worker is the only dependency; what comes out equal is not compiled again.
add_custom_command(OUTPUT ${generated}/embedded.cpp
  COMMAND tuneproof-worker --catalogue > ${generated}/catalogue.json
  COMMAND ${CMAKE_COMMAND} -Dsource=${PROJECT_SOURCE_DIR} -Dcatalogue=${generated}/catalogue.json
          -Doutput=${generated}/embedded.cpp -P ${PROJECT_SOURCE_DIR}/cmake/embed_steps.cmake
  DEPENDS tuneproof-worker ${PROJECT_SOURCE_DIR}/cmake/embed_steps.cmake
  COMMENT "Embedding the catalogue of steps"
  VERBATIM)
add_executable(tuneproof main.cpp ${generated}/embedded.cpp)
target_link_libraries(tuneproof PRIVATE harness harness_compare harness_lessons harness_page harness_profile
  harness_selftest microbench_claims microbench_sources prices_command prices_host workloads_configuration build_info
  CLI11::CLI11 fmt::fmt warnings)
