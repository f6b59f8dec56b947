# find_package(tuneproof): a tip of your own, on the host (tuneproof::tuneproof), on CUDA devices (tuneproof::cuda; its
# headers need the toolkit's), or in LibTorch (tuneproof::torch; find_package(Torch) is yours to call).
cmake_path(SET tuneproof_prefix NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../..")

if(NOT TARGET tuneproof::library)
  add_library(tuneproof::library SHARED IMPORTED)
  set_target_properties(tuneproof::library PROPERTIES
    IMPORTED_LOCATION ${tuneproof_prefix}/lib/libtuneproof.so
    INTERFACE_INCLUDE_DIRECTORIES ${tuneproof_prefix}/include/tuneproof
    INTERFACE_COMPILE_FEATURES cxx_std_20)
  foreach(part IN ITEMS host cuda torch)
    if(NOT EXISTS ${tuneproof_prefix}/lib/libtuneproof_${part}.so)
      continue()  # what `scripts/build.sh library` builds has the host's part alone
    endif()
    add_library(tuneproof::${part} SHARED IMPORTED)
    set_target_properties(tuneproof::${part} PROPERTIES
      IMPORTED_LOCATION ${tuneproof_prefix}/lib/libtuneproof_${part}.so
      INTERFACE_LINK_LIBRARIES tuneproof::library)
  endforeach()
  add_library(tuneproof::tuneproof ALIAS tuneproof::host)
endif()
unset(tuneproof_prefix)
