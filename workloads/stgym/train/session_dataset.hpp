// The data set of a session: made by its first process, mapped by all later ones.
#pragma once

#include "harness/core/setup.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"

namespace workloads::stgym {

/// The data set that the options ask for, on the host. A round is a fresh process, and making the data anew
/// in each would take longer than measuring; so they lie in the session's memory (`Setup::session_memory`),
/// which has no name and ends with the session. Made privately where there is none, where there is not room
/// for it, or where the memory already holds data of other options. Throws what load_dataset throws.
Dataset session_dataset(const harness::Setup& setup);

}  // namespace workloads::stgym
