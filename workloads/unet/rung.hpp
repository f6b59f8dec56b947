// What the rungs of this ladder have in common.
#pragma once

#include "workloads/training/trial.hpp"

#include <cstdint>

namespace workloads::unet {

/// The data, the model and how it is trained, on the session's device. Throws BadInput for bad data.
/// That are drawn, or read of `--images`.
struct Samples {
  std::int64_t training = 0;
  std::int64_t validation = 0;
};

training::Job job(harness::Setup& setup);
training::Job job(harness::Setup& setup, Samples samples);

/// The trial of two forms of this workload, or of the rung `change`.
harness::Trial trial(harness::Setup& setup, const training::Forms& forms);
harness::Trial trial(harness::Setup& setup, bool training::Switches::* change,
                     training::TimedUnit unit = training::TimedUnit::step);

}  // namespace workloads::unet
