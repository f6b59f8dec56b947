// Every kind of finding: what it looks for, and which steps treat it.
#include "harness/trace/findings.hpp"

namespace harness::trace {
namespace {

using Names = std::string_view;

constexpr Names data_loading[] = {"dataload/workers_slow_source",  "dataload/workers_ready_source",
                                  "dataload/prefetch_factor",      "dataload/persistent_workers",
                                  "dataload/precompute_transform", "overlap/prefetch_batch"};
constexpr Names preparing[] = {"dataload/workers_slow_source", "dataload/precompute_transform",
                               "dataload/gpu_transform",       "overlap/prefetch_batch",
                               "sage/gather_in_workers",       "gnn/feature_gather",
                               "transfer/dataset_resident",    "transfer/create_on_device"};
constexpr Names keeping[] = {"stgym/device_indices", "transfer/create_on_device", "transfer/stay_on_device",
                             "transfer/ping_pong"};
constexpr Names host_run[] = {"transfer/stay_on_device", "transfer/create_on_device", "stgym/device_indices",
                              "transfer/ping_pong",      "transfer/dataset_resident", "gnn/feature_gather",
                              "sage/gather_in_workers"};
constexpr Names pinning[] = {"transfer/pinned_h2d", "transfer/pin_then_copy", "dataload/pin_thread",
                             "sync/pageable_implies", "overlap/pinned_stream_matrix"};
constexpr Names hiding[] = {"overlap/prefetch_batch",       "overlap/chunked_streams",
                            "transfer/nonblocking_large",   "transfer/shrink_payload",
                            "overlap/pinned_stream_matrix", "overlap/default_stream",
                            "transfer/dataset_resident",    "overlap/bidirectional"};
constexpr Names small_copies_steps[] = {"transfer/batch_small", "transfer/nonblocking_many_small",
                                        "transfer/scalar_tensor", "transfer/create_on_device",
                                        "transfer/2d_copy"};
constexpr Names copy_ops_steps[] = {"transfer/create_on_device",   "transfer/ping_pong",
                                    "transfer/dtype_convert_side", "stgym/device_indices",
                                    "transfer/noncontig_source",   "transfer/to_noop"};
constexpr Names reading_back[] = {"transfer/pinned_d2h", "transfer/ping_pong", "stgym/delayed_cpu",
                                  "transfer/stay_on_device"};
constexpr Names item_syncs[] = {"sync/item_every_step", "sync/log_every_n", "sync/print_tensor",
                                "stgym/no_item"};
constexpr Names dynamic[] = {"sync/dynamic_shape_ops", "sync/control_flow", "sync/mask_not_gather",
                             "stgym/explicit_sizes"};
constexpr Names blocking[] = {"sync/launch_blocking"};
constexpr Names scaling[] = {"precision/sync_gradscaler", "precision/amp_bf16"};
constexpr Names pinning_late[] = {"transfer/pin_then_copy", "transfer/pin_multithread", "dataload/pin_thread",
                                  "transfer/pinned_alloc_cost"};
constexpr Names compiling[] = {"launch/fuse_dynamic_recompile", "compile/dynamic_shapes",
                               "compile/break_even", "launch/graph_instantiate_cost"};
constexpr Names recomputing[] = {"autograd/checkpoint_memory", "gpt/checkpoint_batch",
                                 "autograd/checkpoint_target"};
constexpr Names attending[] = {"launch/fuse_attention"};
constexpr Names aligning[] = {"precision/mult_of_8"};
constexpr Names bias[] = {"format/conv_bias_before_bn"};
constexpr Names syncing[] = {"sync/per_kernel", "sync/granularity", "sync/cpu_in_loop",
                             "sync/item_every_step"};
constexpr Names launching[] = {"launch/graph_short_kernels", "launch/cost",
                               "launch/framework_overhead",  "launch/run_ahead",
                               "roofline/batch_doubling",    "launch/graph_small_batch",
                               "stgym/cuda_graph",           "compile/small_model",
                               "launch/graph_partial"};
constexpr Names tiny[] = {"compile/small_model", "launch/run_ahead", "launch/fuse_tiny_ops",
                          "launch/fuse_pointwise_chain", "launch/graph_short_kernels"};
constexpr Names per_tensor[] = {"optimizer/foreach", "optimizer/fused", "optimizer/graph_step",
                                "compile/optimizer"};
constexpr Names zeroing[] = {"optimizer/zero_grad_none"};
constexpr Names allocating[] = {"memory/alloc_caching",
                                "memory/alloc_empty_cache_loop",
                                "memory/alloc_host_cache",
                                "transfer/pinned_alloc_cost",
                                "memory/alloc_stream_ordered",
                                "memory/alloc_prealloc_varlen",
                                "memory/alloc_expandable_segments",
                                "memory/alloc_roundup_pow2",
                                "transfer/hostregister_parallel",
                                "memory/alloc_max_split",
                                "memory/alloc_nonsplit_rounding",
                                "memory/alloc_gc_threshold"};
constexpr Names tensor_cores[] = {"precision/tf32_matmul", "precision/tf32_conv", "stgym/matmul_medium",
                                  "precision/amp_fp16", "precision/amp_bf16"};
constexpr Names fusing[] = {"compile/pointwise_chain",     "launch/fuse_pointwise_chain",
                            "launch/fuse_activation_cost", "launch/fuse_cos_cos",
                            "precision/amp_membound",      "launch/fuse_relu_maxpool"};
constexpr Names layout[] = {"format/channels_last_amp", "format/channels_last_fp32", "format/unsupported_op"};
constexpr Names bigger[] = {"roofline/batch_doubling", "dataload/bigger_batch", "overlap/concurrent_kernels"};

constexpr Names transforming[] = {"dataload/workers_slow_source",  "dataload/vectorize",
                                  "dataload/precompute_transform", "dataload/pre_decode",
                                  "dataload/omp_collate",          "dataload/gpu_transform",
                                  "sage/gather_in_workers"};
constexpr Names calling[] = {"dataload/vectorize", "compile/small_model", "launch/framework_overhead",
                             "launch/fuse_tiny_ops", "launch/fuse_pointwise_chain"};
constexpr Names joining[] = {"dataload/vectorize", "dataload/bigger_batch", "roofline/batch_doubling"};
constexpr Names batching[] = {"dataload/bigger_batch", "roofline/batch_doubling"};
constexpr Names whole_optimizer[] = {"optimizer/fused", "optimizer/foreach", "autograd/accumulation",
                                     "compile/optimizer"};
constexpr Names moving[] = {"format/channels_last_cpu", "compile/pointwise_chain",  "cpu/malloc",
                            "cpu/onednn_fusion",        "memory/alloc_out_variant", "gnn/aggregate",
                            "gnn/index_backward",       "sage/gather_in_workers",   "sage/half_features"};
constexpr Names half[] = {"precision/amp_bf16"};
constexpr Names printing[] = {"sync/print_tensor", "sync/log_every_n"};
constexpr Names without_graph[] = {"autograd/nograd_eval", "autograd/inference_mode"};
constexpr Names debugging[] = {"autograd/anomaly", "autograd/debug_apis"};
constexpr Names making[] = {"dataload/pre_decode", "transfer/create_on_device", "transfer/scalar_tensor"};
constexpr Names saving_states[] = {"loop/checkpoint_async"};

constexpr Names keeping_workers[] = {"dataload/persistent_workers"};
constexpr Names threading[] = {"cpu/omp_threads"};

constexpr Names exchanging[] = {"parallel/overlap", "parallel/bucket_size", "parallel/no_sync",
                                "parallel/compress", "parallel/bucket_order"};
constexpr Names bundling[] = {"parallel/bucket_size", "parallel/flat"};
constexpr Names accumulating[] = {"parallel/no_sync", "autograd/accumulation"};
constexpr Names broadcasting[] = {"parallel/broadcast_buffers"};
constexpr Names balancing[] = {"parallel/balance", "parallel/graph_nccl"};
constexpr Names one_process[] = {"parallel/data_parallel"};

constexpr auto kinds = std::to_array<FindingKind>({
    {"data_loader_wait", "the device idles while the host loads data", data_loading, Whose::either},
    {"input_preparation", "the device idles before the host copies a batch", preparing},
    {"model_copies", "exposed copies to the device that the model itself asks for", keeping},
    {"pageable_copies_in", "exposed copies from pageable memory", pinning},
    {"exposed_copies_in", "exposed copies from pinned memory, or from memory whose kind was not recorded",
     hiding},
    {"small_copies", "many copies between host and device below 64 KiB", small_copies_steps},
    {"copy_ops", "a large share of aten::copy_ among the operators", copy_ops_steps},
    {"exposed_copies_out", "exposed copies to the host", reading_back},
    {"item_sync", "idle after the host read a value back (.item(), float(), print)", item_syncs},
    {"dynamic_shape_sync", "idle after an operator whose output's size depends on data", dynamic},
    {"sync_calls", "idle after other synchronizing calls", syncing},
    {"launch_gaps", "the device idles until the host launches the next piece, or between short pieces",
     launching},
    {"host_operators", "operators that the host runs itself while the device idles, or is not recorded",
     host_run},
    {"first_use", "calls that load code or set a library up, as on the first use of a kernel", {}},
    {"optimizer_per_tensor", "an optimizer that launches kernels for each parameter", per_tensor},
    {"zero_grad_fills", "gradients set to zero instead of to none", zeroing, Whose::either},
    {"device_allocations", "time in cudaMalloc, cudaFree and pinned allocation", allocating},
    {"fp32_products", "products in FP32 on a device with tensor cores", tensor_cores},
    {"pointwise_kernels", "device time in pointwise kernels that could be fused", fusing},
    {"layout_conversions", "kernels that only turn NCHW into NHWC or back", layout},
    {"exposed_communication", "communication that no computation hides", exchanging, Whose::either},
    {"small_buckets", "gradients exchanged in pieces below 1 MiB", bundling, Whose::either},
    {"synced_accumulation", "gradients exchanged more often than weights are updated", accumulating,
     Whose::either},
    {"buffer_broadcasts", "buffers sent before each forward pass", broadcasting, Whose::either},
    {"tiny_kernels", "hundreds of kernels per step that run below 10 us", tiny},
    {"low_utilization", "a device that is busy for less than 70 % of the time", {}},
    {"low_sm_share", "kernels that leave most multiprocessors without work", bigger},
    {"warm_up", "a first step that is longer than the others", {}, Whose::either},
    {"unsteady_steps", "steps whose durations differ", {}, Whose::either},
    {"impossible_times", "events whose times cannot be true", {}, Whose::either},
    {"rank_imbalance", "ranks that wait for the slowest one", balancing, Whose::either},
    {"loader_transform", "samples that the training thread transforms itself", transforming, Whose::thread},
    {"small_batch", "products that are too small for their calls", batching, Whose::thread},
    {"small_operators", "operators that cost more to call than to run", calling, Whose::thread, true},
    {"outside_pytorch", "long times without any operator", {}, Whose::either, true},
    {"checkpoint_in_step", "long times without any operator after state_dict()", saving_states,
     Whose::thread},
    {"optimizer_share", "an optimizer that takes a quarter of the time", whole_optimizer, Whose::either},
    {"memory_operators", "operators that move more than they compute", moving, Whose::thread},
    {"fp32_on_cpu", "products that may be faster in BF16", half, Whose::thread},
    {"item_reads", "values read back (.item(), float()): free here, not on a GPU", item_syncs, Whose::thread},
    {"tensor_printing", "tensors printed within the steps", printing, Whose::either},
    {"unused_graph", "an autograd graph that no backward pass uses", without_graph, Whose::either},
    {"anomaly_checks", "anomaly detection that was left on", debugging, Whose::either},
    {"tensor_from_list", "tensors made from Python lists", making, Whose::thread},
    {"workers_each_epoch", "workers of the loader that are started anew in each epoch", keeping_workers,
     Whose::either},
    {"denormal_numbers", "numbers so near to 0 that a processor is slow with them", {}, Whose::thread},
    {"busy_cpus", "waits for CPUs that other programs had", {}, Whose::either},
    {"unused_cpus", "fewer threads than CPUs", threading, Whose::thread},
    {"autocast_without_unit", "autocast on a processor without a unit for its type", half, Whose::thread},
    {"fp64_numbers", "products in float64", {}, Whose::thread},
    {"calls_by_the_piece", "a model that is called many times a step, for few rows", joining, Whose::thread},
    {"launch_blocking", "launches that return only when their kernel has ended", blocking},
    {"grad_scaler_sync", "idle after GradScaler asked whether gradients are finite", scaling},
    {"pinning_in_step", "memory pinned by the training thread", pinning_late},
    {"compiling_in_steps", "functions compiled or graphs captured within the steps", compiling,
     Whose::either},
    {"recomputation", "forward operators that run again within the backward pass", recomputing,
     Whose::either},
    {"unfused_attention", "attention written as product, softmax, product", attending, Whose::either},
    {"slow_convolution",
     "convolutions by PyTorch's own fallback, without oneDNN or cuDNN",
     {},
     Whose::either},
    {"unaligned_products", "half-precision products whose sizes are not multiples of 8", aligning},
    {"bias_before_norm", "a bias that the batch normalization after it takes away", bias},
    {"several_devices", "one process that drives several devices", one_process},
});

}  // namespace

std::span<const FindingKind> finding_kinds() { return kinds; }

const FindingKind* finding_kind(std::string_view id) {
  const auto* found = std::ranges::find(kinds, id, &FindingKind::id);
  return found == kinds.end() ? nullptr : found;
}

}  // namespace harness::trace
