// A program of the user's own steps, in LibTorch.
#include "harness/own/own_program.hpp"
#include "harness/own/tuneproof.hpp"
#include "harness/torch_worker/torch_surroundings.hpp"

int harness::own::program(int argc, char** argv, Steps steps, const char* build_type) {
  return program_on(torch_worker::torch_ground(), argc, argv, steps, {.build_type = build_type});
}
