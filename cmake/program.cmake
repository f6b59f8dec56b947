# The two programs: `tuneproof` starts at once and needs no LibTorch; `tuneproof-worker` holds the steps.
add_executable(tuneproof-worker worker.cpp)
target_link_libraries(tuneproof-worker PRIVATE microbench_steps harness_torch warnings)
