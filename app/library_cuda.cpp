// A program of the user's own steps, on the host and on CUDA devices.
#include "harness/cuda_worker/cuda_surroundings.hpp"
#include "harness/own/own_program.hpp"
#include "harness/own/tuneproof.hpp"

int harness::own::program(int argc, char** argv, Steps steps, const char* build_type) {
  return program_on(cuda_worker::cuda_ground(), argc, argv, steps, {.build_type = build_type});
}
