# Files of a library are compiled several at a time: what they include is parsed once. Anonymous namespaces of one
# library therefore share their names.
# `scripts/build.sh library`, which builds from nothing in CI, takes more at a time.
function(compile_together)
  set(batch 10)
  if(TUNEPROOF_LIBRARY_ONLY)
    set(batch 30)
  endif()
  set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# `scripts/build.sh library` runs in CI jobs: the compiler may take more memory before it collects what it left.
if(TUNEPROOF_LIBRARY_ONLY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options("SHELL:--param ggc-min-expand=300" "SHELL:--param ggc-min-heapsize=2000000")
endif()
