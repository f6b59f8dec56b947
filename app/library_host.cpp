// A program of the user's own steps, on the host alone.
#include "harness/own/own_program.hpp"
#include "harness/own/tuneproof.hpp"

int harness::own::program(int argc, char** argv, Steps steps, const char* build_type) {
  return program_on(worker::host_ground(), argc, argv, steps, {.build_type = build_type});
}
