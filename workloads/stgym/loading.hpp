// Batches in order: made where they are asked for, or ahead of time by loader threads.
#pragma once

#include "harness/loader/thread_loader.hpp"

#include "workloads/stgym/batch.hpp"

#include <memory>

namespace workloads::stgym {

struct Pass;

/// A loader for one pass over the batches; `pass` must outlive it. Its threads queue their work on the
/// caller's CUDA stream, so that no batch is read before it is there.
std::unique_ptr<harness::ThreadLoader<Batch>> load(const Pass& pass);

}  // namespace workloads::stgym
