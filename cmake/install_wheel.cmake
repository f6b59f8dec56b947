# What scripts/wheel.sh packs: a Python package with the programs; of `scripts/build.sh library` those without steps. LibTorch and
# CUDA are the other machine's own; glibc and the compiler's libraries are on every machine.
set(libraries_of_the_machine
  PRE_EXCLUDE_REGEXES
    "^lib(torch|c10|cu|nv|nccl|gomp|kineto|shm)" "^ld-linux" "^lib(c|m|dl|rt|pthread|util|stdc\\+\\+|gcc_s)\\.so"
  POST_EXCLUDE_REGEXES
    "/torch/lib/" "/nvidia/")

set(wheel_targets tuneproof_library tuneproof_host)
if(TUNEPROOF_LIBRARY_ONLY)
  list(APPEND wheel_targets tuneproof_without_steps)
  set_target_properties(tuneproof_without_steps PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
else()
  list(APPEND wheel_targets tuneproof tuneproof-worker)
endif()
set_target_properties(tuneproof_host PROPERTIES INSTALL_RPATH "$ORIGIN")
add_custom_target(wheel_programs DEPENDS ${wheel_targets})
install(TARGETS ${wheel_targets} RUNTIME_DEPENDENCY_SET wheel_libraries
  RUNTIME DESTINATION tuneproof/bin COMPONENT wheel EXCLUDE_FROM_ALL
  LIBRARY DESTINATION tuneproof/lib COMPONENT wheel EXCLUDE_FROM_ALL)
install(RUNTIME_DEPENDENCY_SET wheel_libraries ${libraries_of_the_machine}
  LIBRARY DESTINATION tuneproof/lib COMPONENT wheel EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/tuneproof DESTINATION . COMPONENT wheel EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/harness/programs/recorder/ DESTINATION tuneproof/recorder COMPONENT wheel EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "tuneproof_*.py" PATTERN "__pycache__" EXCLUDE)
get_property(tuneproof_torch GLOBAL PROPERTY tuneproof_torch_version)
# What the environment must bring, as in docs/wheel.md and, by wheel.sh, in METADATA; no torch where there are no steps.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/wheel/needs.json
  CONTENT [[{"version": "@PROJECT_VERSION@", "torch": "@tuneproof_torch@", "cuda": "@CUDAToolkit_VERSION_MAJOR@", "glibc": "2.36"}
]] @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/wheel/needs.json DESTINATION tuneproof COMPONENT wheel EXCLUDE_FROM_ALL)
