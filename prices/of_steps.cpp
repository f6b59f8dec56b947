#include "prices/command.hpp"

namespace prices {
namespace {

constexpr std::string_view to_device =
    "copy/h2d/host:pageable/bytes:64KiB copy/h2d/host:pinned/bytes:64KiB copy/h2d/host:pageable/bytes:16MiB "
    "copy/h2d/host:pinned/bytes:16MiB";
constexpr std::string_view fresh_pages =
    "allocate/malloc_touched/bytes:4MiB allocate/malloc_touched/bytes:64MiB allocate/kept_touched/bytes:4MiB "
    "allocate/kept_touched/bytes:64MiB";
constexpr std::string_view pinning =
    "allocate/pinned/* allocate/malloc_touched/* copy/h2d/host:pageable/bytes:64MiB "
    "copy/h2d/host:pinned/bytes:64MiB";
constexpr std::string_view waits =
    "stream/synchronize event/synchronize launch/until_synchronized dispatch/device/item dispatch/host/item";
constexpr std::string_view overlapping =
    "copy/h2d/host:pinned/bytes:16MiB copy/d2h/host:pinned/bytes:16MiB copy/both/host:pinned/* launch/queued "
    "event/record";
constexpr std::string_view passes = "triad/host/* triad/device/* dispatch/host/add dispatch/device/add";
constexpr std::string_view hand_overs =
    "thread/wake/condition handover/shared/bytes:4KiB handover/shared/bytes:1MiB handover/pipe/bytes:4KiB "
    "handover/pipe/bytes:1MiB";
constexpr std::string_view starts = "thread/start process/start/*";
constexpr std::string_view calls = "dispatch/host/* dispatch/device/add launch/back_to_back";
constexpr std::string_view products = "product/host/* product/device/*";
constexpr std::string_view exchanges =
    "collective/all_reduce/gloo/ranks:2/bytes:4KiB collective/all_reduce/gloo/ranks:2/bytes:1MiB "
    "collective/all_reduce/nccl/ranks:2/bytes:1MiB collective/barrier/* ping_pong/tcp/bytes:1MiB "
    "memcpy/bytes:1MiB memcpy/bytes:16MiB";
constexpr std::string_view large_exchanges =
    "collective/all_reduce/gloo/ranks:2/bytes:4KiB collective/all_reduce/gloo/ranks:2/bytes:16MiB "
    "collective/all_reduce/nccl/ranks:2/bytes:16MiB ping_pong/tcp/bytes:16MiB product/host/fp32/*";
constexpr std::string_view balance = "triad/host/* triad/device/* product/host/fp32/* product/device/fp32/*";

constexpr harness::StepPrices table[] = {
    {"transfer/", to_device},
    {"transfer/pinned_d2h",
     "copy/d2h/host:pageable/bytes:64KiB copy/d2h/host:pinned/bytes:64KiB copy/d2h/host:pageable/bytes:16MiB "
     "copy/d2h/host:pinned/bytes:16MiB"},
    {"transfer/pin_then_copy", pinning},
    {"transfer/pinned_alloc_cost", pinning},
    {"transfer/hostregister_parallel", pinning},
    {"transfer/register_in_place", pinning},
    {"transfer/write_combined",
     "copy/h2d/host:write_combined/* copy/h2d/host:pinned/bytes:1MiB copy/h2d/host:pinned/bytes:64MiB"},
    {"transfer/pin_multithread", pinning},
    {"transfer/managed_memory", "managed/* copy/h2d/host:pinned/bytes:16MiB"},
    {"transfer/zero_copy_once", "copy/h2d/host:pinned/bytes:64MiB triad/device/*"},
    {"transfer/size_curve", "copy/h2d/host:pinned/* copy/d2h/host:pinned/*"},
    {"transfer/batch_small",
     "copy/h2d/host:pinned/bytes:1KiB copy/h2d/host:pinned/bytes:16MiB memcpy/bytes:1KiB memcpy/bytes:16MiB"},
    {"transfer/create_on_device", "copy/h2d/host:pageable/bytes:16MiB launch/back_to_back triad/device/*"},
    {"transfer/to_noop", "dispatch/host/empty dispatch/host/view"},
    {"transfer/scalar_tensor", "copy/h2d/host:pageable/bytes:1KiB launch/back_to_back dispatch/device/add"},
    {"transfer/ping_pong", passes},
    {"transfer/noncontig_source",
     "memcpy/bytes:1MiB memcpy/bytes:16MiB copy/h2d/host:pageable/bytes:16MiB "
     "copy/h2d/host:pinned/bytes:16MiB"},
    {"transfer/shrink_payload",
     "memcpy/bytes:16MiB memcpy/bytes:64MiB copy/h2d/host:pinned/bytes:16MiB "
     "copy/h2d/host:pinned/bytes:64MiB"},
    {"transfer/pinned_exact", pinning},
    {"transfer/huge_pages", fresh_pages},
    {"overlap/kernel_copy", "copy/h2d/host:pinned/bytes:64MiB copy/d2h/host:pinned/bytes:64MiB"},
    {"transfer/convert_to_host", "copy/d2h/host:pageable/* copy/d2h/host:pinned/*"},
    {"transfer/pin_by_threads", pinning},
    {"transfer/foreach_copy",
     "copy/h2d/host:pinned/bytes:1KiB copy/d2d/* launch/back_to_back memcpy/bytes:1KiB"},
    {"overlap/", overlapping},
    {"overlap/implicit_sync", "allocate/pinned/* allocate/torch_host/* allocate/torch_device/*"},
    {"sync/", waits},
    {"sync/pageable_implies", to_device},
    {"dataload/", hand_overs},
    {"dataload/persistent_workers", starts},
    {"dataload/start_method", starts},
    {"dataload/python_objects", starts},
    {"dataload/workers_slow_source",
     "thread/wake/condition thread/start process/start/fork handover/shared/bytes:4KiB"},
    {"dataload/pin_thread", pinning},
    {"dataload/pin_thread_omp", "thread/wake/* memcpy/bytes:1MiB memcpy/bytes:16MiB"},
    {"dataload/precompute_transform", "triad/host/* dispatch/host/add"},
    {"dataload/gpu_transform", "copy/h2d/host:pageable/bytes:64KiB launch/back_to_back dispatch/host/add"},
    {"dataload/vectorize", "dispatch/host/add dispatch/host/view"},
    {"dataload/omp_collate", "thread/wake/* memcpy/bytes:1MiB"},
    {"dataload/bigger_batch", calls},
    {"dataload/pre_decode", "memcpy/bytes:16KiB memcpy/bytes:1MiB"},
    {"dataload/xfer_disk_path",
     "memcpy/bytes:16MiB memcpy/bytes:64MiB allocate/malloc_touched/bytes:64MiB "
     "allocate/kept_touched/bytes:64MiB"},
    {"precision/", products},
    {"precision/amp_membound", passes},
    {"precision/sync_gradscaler", waits},
    {"precision/gradient_underflow", ""},
    {"precision/amp_memory", ""},
    {"launch/", "launch/* graph/* dispatch/host/add dispatch/device/add"},
    {"launch/fuse_", passes},
    {"compile/", passes},
    {"launch/fuse_attention", balance},
    {"launch/graph_shared_pool", "allocate/torch_device/* graph/*"},
    {"launch/graph_static_copy",
     "copy/h2d/host:pinned/bytes:64KiB copy/h2d/host:pinned/bytes:16MiB copy/d2d/*"},
    {"memory/alloc_", "allocate/torch_device/* allocate/torch_host/* allocate/pinned/* stream/synchronize"},
    {"memory/offload",
     "copy/h2d/host:pinned/bytes:16MiB copy/d2h/host:pinned/bytes:16MiB product/device/fp32/*"},
    {"memory/cublas_workspace", "product/device/fp32/*"},
    {"memory/alloc_out_variant", "dispatch/host/* copy/h2d/host:pageable/bytes:1KiB memcpy/bytes:4KiB"},
    {"memory/alloc_prealloc_varlen", fresh_pages},
    {"memory/grad_activation_size", balance},
    {"memory/kern_", "triad/device/* triad/host/*"},
    {"memory/kern_nvcc_flags", ""},
    {"format/", "triad/host/* triad/device/*"},
    {"format/cudnn_benchmark", ""},
    {"optimizer/", passes},
    {"optimizer/graph_step", "launch/back_to_back graph/*"},
    {"autograd/", "dispatch/host/add dispatch/host/empty dispatch/host/view"},
    {"autograd/checkpoint_", balance},
    {"autograd/recompute_faster", balance},
    {"autograd/accumulation", balance},
    {"loop/scalars_every_step", waits},
    {"loop/scalar_log", "thread/wake/condition"},
    {"loop/metrics_on_device", waits},
    {"loop/early_stopping", waits},
    {"loop/checkpoint_async", "thread/start memcpy/bytes:1MiB memcpy/bytes:16MiB"},
    {"loop/state_dict_stream", "memcpy/bytes:1MiB memcpy/bytes:16MiB"},
    {"cpu/omp_threads", "thread/wake/* triad/host/* product/host/fp32/*"},
    {"cpu/openmp_runtime", "thread/wake/* triad/host/* product/host/fp32/*"},
    {"cpu/affinity", "triad/host/* thread/wake/*"},
    {"cpu/numa_bind", "numa/*"},
    {"cpu/malloc", "allocate/malloc/* allocate/malloc_touched/* allocate/kept_touched/*"},
    {"cpu/onednn_fusion", "triad/host/* product/host/fp32/*"},
    {"gnn/", passes},
    {"parallel/", exchanges},
    {"parallel/broadcast_buffers",
     "collective/broadcast/gloo/ranks:2/bytes:64KiB collective/broadcast/gloo/ranks:2/bytes:256KiB "
     "collective/barrier/* memcpy/bytes:256KiB"},
    {"roofline/", balance},
    {"traps/clock_before_end", "launch/return launch/until_synchronized stream/synchronize thread/start"},
    {"traps/event_other_stream", "event/record_timed launch/queued"},
    {"traps/no_warm_up", "dispatch/host/add dispatch/device/add"},
    {"traps/first_touch", fresh_pages},
    {"traps/hot_cache", "memcpy/bytes:1MiB memcpy/bytes:256MiB copy/d2d/bytes:4MiB copy/d2d/bytes:256MiB"},
    {"traps/one_sample", "product/host/fp32/n:128 product/device/fp32/*"},
    {"traps/first_then_second", "triad/host/* triad/device/*"},
    {"traps/profiler_on", "dispatch/host/add dispatch/device/add"},
    {"*/log_every_n", waits},
    {"*/gradients_to_none", "triad/host/* triad/device/*"},
    {"*/prefetch", overlapping},
    {"*/workers", "thread/start thread/wake/condition process/start/fork handover/shared/bytes:1MiB"},
    {"*/tf32", products},
    {"*/bf16", products},
    {"*/fp16", products},
    {"*/fused_optimizer", passes},
    {"*/foreach_clip", passes},
    {"*/fused_attention", passes},
    {"*/compiled", passes},
    {"*/cuda_graph", "launch/back_to_back graph/*"},
    {"*/checkpoint_batch", balance},
    {"*/ddp", large_exchanges},
    {"*/ddp_no_sync", large_exchanges},
    {"*/ddp_buckets", large_exchanges},
    {"gpt/ddp", exchanges},
    {"sage/csr_aggregate", passes},
    {"sage/half_features", to_device},
    {"sage/pinned", to_device},
    {"sage/features_on_device", to_device},
    {"sage/gather_in_workers", "thread/start memcpy/bytes:1MiB memcpy/bytes:16MiB"},
    {"sage/worker_processes",
     "thread/start process/start/fork handover/shared/bytes:1MiB memcpy/bytes:256MiB"},
    {"sage/captured", "launch/back_to_back graph/*"},
    {"stgym/device_indices", "copy/h2d/host:pageable/bytes:64KiB copy/h2d/host:pageable/bytes:1MiB"},
    {"stgym/delayed_cpu", waits},
    {"stgym/no_item", waits},
    {"stgym/explicit_sizes", waits},
    {"stgym/no_host_checks", waits},
    {"stgym/matmul_medium", products},
    {"stgym/onednn_products", products},
    {"stgym/probed_products", products},
    {"stgym/tensor_core_products", products},
    {"stgym/amx_products", products},
    {"stgym/inplace", passes},
    {"stgym/fused_pooling", passes},
    {"stgym/fused_linear", passes},
    {"stgym/fused_classifier", passes},
    {"stgym/rows_in_place", "triad/host/* triad/device/*"},
    {"stgym/bf16_rows", "triad/host/* triad/device/*"},
    {"stgym/workers_5", "thread/start thread/wake/condition process/start/fork handover/shared/bytes:1MiB"},
};

}  // namespace

std::span<const harness::StepPrices> step_prices() { return table; }

}  // namespace prices
