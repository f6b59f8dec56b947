#include "microbench/claims.hpp"

namespace microbench {
namespace {

using enum harness::ClaimFate;

constexpr harness::Claim claims[] = {
    {"xfer-pinned-overuse", refused, "pinning most of the memory can freeze the machine it is measured on"},
    {"xfer-numa-pinned", refused,
     "a cache by node is not in LibTorch 2.11, and two nodes with a device are needed: prices has copies "
     "from memory of each"},
    {"data-pin-thread-gil", refused,
     "the lock is that of a Python with PyTorch in it: steps run in C++, and their scripts in Python know "
     "its own library only"},
    {"data-jpeg-on-device", refused,
     "nvJPEG comes neither with LibTorch nor with the parts of CUDA that the build uses"},
    {"prec-bfx9", refused,
     "only devices of compute capability 10.0 and 10.3 do it, which this build does not target; others fall "
     "back "
     "without a word"},
    {"fuse-call-overhead", refused,
     "the checks are Python's: packages that C++ loads have none, so both forms would be without them"},
    {"fmt-reshape-conv", refused,
     "as published it does not type-check; what it means is format/channels_last_fp32"},
    {"dist-nccl-mem", refused, "reductions in the switch need NVLink switches between four GPUs or more"},
    {"cpu-numa-h2d", finding, "prices: copies from memory of each NUMA node"},
    {"diag-regime", finding, "diagnose: VERDICT"},
    {"diag-arith-intensity", finding, "diagnose: VERDICT, products below the device's balance"},
    {"diag-cpu-cuda-ratio", finding, "diagnose: OPERATORS, Self CPU beside Self CUDA, and DEVICE"},
    {"diag-gpu-starvation", finding, "diagnose: data_loader_wait"},
    {"diag-phase-breakdown", finding, "diagnose: PHASES; profile has the schedule"},
    {"diag-top-ops", finding, "diagnose: OPERATORS, with the place in the source where it was recorded"},
    {"diag-copy-signature", finding, "diagnose: pageable_copies_in"},
    {"diag-util-threshold", finding, "diagnose: low_utilization"},
    {"diag-event-vs-cpu", finding, "run: transfer/pinned_h2d by both clocks"},
    {"diag-effective-bw", finding, "run and prices: GB/s"},
    {"diag-flops-util", finding, "prices: FLOP/s of products by type, to be held against the data sheet"},
    {"diag-nonmatmul-share", finding, "diagnose: kernels by kind"},
    {"diag-amdahl", finding, "diagnose: WHAT WOULD PAY, at most the share of each finding"},
    {"diag-sea-of-tiny", finding, "diagnose: tiny_kernels"},
};

}  // namespace

std::span<const harness::Claim> claims_without_step() { return claims; }

}  // namespace microbench
