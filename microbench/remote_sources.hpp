// Work for the steps on environment variables, which a process reads once: each form runs in its own process.
#pragma once

#include "harness/core/step.hpp"
#include "harness/support/remote_work.hpp"

namespace microbench {

/// All of the work, to be served by a program that links LibTorch and CUDA.
std::span<const harness::BatchSource> remote_sources();

/// The work of that name, "sync/launch_blocking", on the device. Throws Skip beyond the first eight devices.
const harness::BatchSource& remote_source(std::string_view name, const harness::Device& device);

/// The two forms, each with a sum as answer.
struct RemoteForms {
  using Environment = std::vector<std::string>;
  RemoteForms(const harness::BatchSource& source, Environment of_naive, Environment of_optimized)
      : naive(source, sizeof(float), std::move(of_naive)),
        optimized(source, sizeof(float), std::move(of_optimized)) {}
  harness::RemoteWork naive, optimized;
};

/// The trial that calls them.
harness::Trial remote_trial(std::shared_ptr<RemoteForms> forms);

}  // namespace microbench
