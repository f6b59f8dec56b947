// What `tuneproof-worker --probe` found: the part of the machine that only CUDA and LibTorch can tell.
#pragma once

#include <string>
#include <string_view>

namespace harness::inline machine {

/// Why there is, or is not, a CUDA device to measure on.
enum class CudaStatus {
  ok,
  no_device,               // no NVIDIA driver, or no device that it shows
  driver_too_old,          // for the CUDA that the program was built with
  architecture_not_built,  // the program holds no kernel for this device
  failed,                  // CUDA says something else: `message`
  no_worker                // the worker did not start: `message`; LibTorch is missing, for one
};

/// The worker prints one JSON object; its members have the names of these fields:
///   {"cuda": {"status": "ok", "message": ""}, "cuda_runtime": "13.0", "cuda_driver": "13.0",
///    "libtorch": "2.11.0", "cpu_capability": "AVX2",
///    "gpu": {"name": "...", "compute_capability": "9.0", "multiprocessors": 132, "memory_bytes":
///    150000000000}}
/// `status` is one of "ok", "no device", "driver too old", "architecture not built", "failed"; `message` says
/// more where it is not "ok". `gpu` is null or missing without a device; unknown members are kept out.
struct Probe {
  CudaStatus status = CudaStatus::no_worker;
  std::string message = {};
  std::string cuda_runtime = {};  // what the program was built with: needed
  std::string cuda_driver = {};   // what the driver supports: had; empty without one
  std::string libtorch = {};
  std::string cpu_capability = {};  // the vector instructions that LibTorch chose
  std::string gpu_name = {};
  std::string compute_capability = {};
};

std::string_view to_string(CudaStatus status);

/// Reads what the worker printed; never throws: text that cannot be read is a worker that failed to start.
Probe parse_probe(std::string_view text);

}  // namespace harness::inline machine
