// A program of the user's own steps, on the host and on CUDA devices.
#include "harness/cuda/cuda_surroundings.hpp"

#include "app/own_program.hpp"
#include "app/tuneproof.hpp"

int tuneproof::program(int argc, char** argv, Steps steps, const char* build_type) {
  return app::program_on(harness::cuda_ground(), argc, argv, steps, {.build_type = build_type});
}
