// What LibTorch's versions from 2.11 to 2.15 name differently.
#pragma once

namespace harness::inline libtorch {

/// Whether a profiler of all threads is on, as Kineto is here. LibTorch has no public question for it.
/// `Profiler` is torch::profiler::impl::ProfilerStateBase; getGlobal() came with 2.14, where get() is gone.
template <typename Profiler>
bool profiles_all_threads() {
  if constexpr (requires { Profiler::getGlobal(); })
    return Profiler::getGlobal() != nullptr;
  else
    return Profiler::get(/*global=*/true) != nullptr;
}

/// Fills `all` with each rank's `own`. `Group` is c10d::ProcessGroup; both new names came with 2.13.
template <typename Group, typename Tensor>
auto all_gather(Group& group, Tensor& all, Tensor& own) {
  if constexpr (requires { group.all_gather_single(all, own); })
    return group.all_gather_single(all, own);
  else
    return group._allgather_base(all, own);
}

/// Fills `own` with the sum of what each rank has for this one in `all`.
template <typename Group, typename Tensor>
auto reduce_scatter(Group& group, Tensor& own, Tensor& all) {
  if constexpr (requires { group.reduce_scatter_single(own, all); })
    return group.reduce_scatter_single(own, all);
  else
    return group._reduce_scatter_base(own, all);
}

/// Fills `all` with what each rank's `own` has for this one; `received` and `sent` count the rows for each
/// rank.
template <typename Group, typename Tensor, typename Counts>
auto all_to_all(Group& group, Tensor& all, Tensor& own, Counts& received, Counts& sent) {
  if constexpr (requires { group.all_to_all_single(all, own, received, sent); })
    return group.all_to_all_single(all, own, received, sent);
  else
    return group.alltoall_base(all, own, received, sent);
}

}  // namespace harness::inline libtorch
