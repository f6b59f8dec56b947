#pragma once

#include "stand_in/runtime.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace stand_in {

/// What a program's device code was compiled for, as its fat binary says.
struct Module {
  struct Code {
    bool ptx = false;
    int architecture = 0;  // 90 is sm_90
  };
  std::vector<Code> code;
  /// A binary runs on its major version's devices from its minor version on; PTX on every newer device.
  bool runs_on(int major, int minor) const;
};

/// Reads the wrapper that nvcc puts into a program. What it cannot read is a module of unknown code, which
/// runs.
Module read_fat_binary(const void* wrapper);

struct Function {
  std::string name;  // mangled
  const Module* module = nullptr;
};

struct Variable {
  std::string name;
  std::size_t size = 0;
  void* at = nullptr;
};

/// The kernels and variables of the program, and the host code that stands for those that are ours.
class Kernels {
 public:
  Kernels(int major, int minor) : major_(major), minor_(minor) {}

  const Module* add_module(Module module);
  void add_function(const void* host, Function function);
  void add_variable(const void* host, Variable variable);
  void add_code(std::string file, std::string name, Unpack unpack);
  void add_memory(std::string file, std::string name, void* at);

  /// The host code, or why there is none: cudaErrorInvalidDeviceFunction, cudaErrorNoKernelImageForDevice.
  cudaError_t find(const void* host, const Unpack** unpack, std::string* name);
  /// Where a `__constant__` or `__device__` variable lies; null if there is none of that address.
  void* find_variable(const void* host, std::size_t* size);
  /// The largest dynamic shared memory that a launch may ask for.
  std::size_t shared_limit(const void* host);
  void set_shared_limit(const void* host, std::size_t bytes);
  /// Whether the device was never given the kernel before.
  bool is_first_launch(const void* host, int device);

 private:
  struct Code {
    std::string file, name;
    Unpack unpack;
  };
  struct HostMemory {
    std::string file, name;
    void* at = nullptr;
  };

  int major_, minor_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Module>> modules_;
  std::map<const void*, Function> functions_;
  std::map<const void*, Variable> variables_;
  std::map<const void*, std::size_t> shared_;
  std::set<std::pair<const void*, int>> launched_;
  std::vector<std::unique_ptr<Code>> code_;
  std::vector<HostMemory> memory_;
};

/// Loads the kernels that were compiled for the host, and LibTorch's operators where the program has
/// LibTorch: both lie beside this library. Does so once.
void load_companions();

}  // namespace stand_in
