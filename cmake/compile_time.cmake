# Files of a library are compiled several at a time: what they include is parsed once. Anonymous namespaces of one
# library therefore share their names.
function(compile_together)
  set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
endfunction()
