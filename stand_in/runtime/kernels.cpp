#include "stand_in/runtime/kernels.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace stand_in {
namespace {

/// Kernels of ours have internal linkage: their names hold the file's, and their own with its length before
/// it.
bool matches(const std::string& mangled, const std::string& file, const std::string& name) {
  auto module = std::to_string(file.size() + 3).insert(0, 1, '_');
  module.append(1, '_').append(file).append("_cu_");
  return mangled.find(module) != std::string::npos &&
         mangled.find(std::to_string(name.size()) + name) != std::string::npos;
}

std::string readable(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> words(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? words.get() : mangled;
}

constexpr std::size_t usual_shared_limit = 48 << 10;

}  // namespace

const Module* Kernels::add_module(Module module) {
  const std::lock_guard lock(mutex_);
  return modules_.emplace_back(std::make_unique<Module>(std::move(module))).get();
}

void Kernels::add_function(const void* host, Function function) {
  const std::lock_guard lock(mutex_);
  functions_[host] = std::move(function);
}

void Kernels::add_variable(const void* host, Variable variable) {
  const std::lock_guard lock(mutex_);
  variables_[host] = std::move(variable);
}

void Kernels::add_code(std::string file, std::string name, Unpack unpack) {
  const std::lock_guard lock(mutex_);
  code_.push_back(std::make_unique<Code>(Code{std::move(file), std::move(name), std::move(unpack)}));
}

void Kernels::add_memory(std::string file, std::string name, void* at) {
  const std::lock_guard lock(mutex_);
  memory_.push_back({std::move(file), std::move(name), at});
}

cudaError_t Kernels::find(const void* host, const Unpack** unpack, std::string* name) {
  const std::lock_guard lock(mutex_);
  const auto found = functions_.find(host);
  if (found == functions_.end()) return cudaErrorInvalidDeviceFunction;
  *name = readable(found->second.name);
  const auto* module = found->second.module;
  if (module != nullptr && !module->runs_on(major_, minor_)) return cudaErrorNoKernelImageForDevice;
  for (const auto& code : code_)
    if (matches(found->second.name, code->file, code->name)) {
      *unpack = &code->unpack;
      return cudaSuccess;
    }
  return cudaErrorInvalidDeviceFunction;
}

void* Kernels::find_variable(const void* host, std::size_t* size) {
  const std::lock_guard lock(mutex_);
  const auto found = variables_.find(host);
  if (found == variables_.end()) return nullptr;
  auto& variable = found->second;
  for (const auto& memory : memory_)
    if (variable.at == nullptr && matches(variable.name, memory.file, memory.name)) variable.at = memory.at;
  if (variable.at == nullptr)
    variable.at = std::calloc(1, variable.size);  // of a kernel that never runs here
  *size = variable.size;
  return variable.at;
}

std::size_t Kernels::shared_limit(const void* host) {
  const std::lock_guard lock(mutex_);
  const auto found = shared_.find(host);
  return found == shared_.end() ? usual_shared_limit : found->second;
}

void Kernels::set_shared_limit(const void* host, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  shared_[host] = bytes;
}

bool Kernels::is_first_launch(const void* host, int device) {
  const std::lock_guard lock(mutex_);
  return launched_.emplace(host, device).second;
}

}  // namespace stand_in
