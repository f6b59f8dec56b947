#include "stand_in/runtime/kernel_table.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>

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

// Which architectures a program's device code was compiled for. The layout is nvcc's; cuobjdump lists the
// same.

struct Wrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const char* data;
  const void* rest;
};
struct Header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_size;
  std::uint64_t size;  // of the entries
};
struct Entry {
  std::uint16_t kind;  // 1 is PTX, 2 a binary
  std::uint16_t version;
  std::uint32_t header_size;
  std::uint64_t size;
  std::uint32_t packed_size;
  std::uint32_t unused;
  std::uint16_t minor, major;
  std::uint32_t architecture;
};
constexpr std::uint32_t wrapper_magic = 0x466243b1;
constexpr std::uint32_t header_magic = 0xba55ed50;

bool has_library(const char* name) {
  struct Search {
    const char* name;
    bool found = false;
  } search{name};
  const auto look = [](dl_phdr_info* info, std::size_t, void* data) {
    auto& wanted = *static_cast<Search*>(data);
    wanted.found = wanted.found || std::strstr(info->dlpi_name, wanted.name) != nullptr;
    return 0;
  };
  dl_iterate_phdr(look, &search);
  return search.found;
}

void load(const std::filesystem::path& library) {
  if (!std::filesystem::exists(library)) return;  // a build of the runtime alone
  if (dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return;
  std::fprintf(stderr, "stand-in: %s\n", dlerror());
  std::_Exit(2);
}

std::filesystem::path folder() {
  Dl_info self{};
  dladdr(reinterpret_cast<const void*>(&load_companions), &self);
  return std::filesystem::path(self.dli_fname).parent_path();
}

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

bool Module::runs_on(int major, int minor) const {
  if (code.empty()) return true;
  const int device = 10 * major + minor;
  return std::ranges::any_of(code, [&](const Code& one) {
    const bool same_major = one.architecture / 10 == major;
    return one.architecture <= device && (one.ptx || same_major);
  });
}

Module read_fat_binary(const void* raw) {
  Module module;
  Wrapper wrapper{};
  std::memcpy(&wrapper, raw, sizeof wrapper);
  if (wrapper.magic != wrapper_magic) return module;
  Header header{};
  std::memcpy(&header, wrapper.data, sizeof header);
  if (header.magic != header_magic) return module;
  const char* at = wrapper.data + header.header_size;
  const char* const end = at + header.size;
  while (at + sizeof(Entry) <= end) {
    Entry entry{};
    std::memcpy(&entry, at, sizeof entry);
    module.code.push_back({entry.kind == 1, static_cast<int>(entry.architecture)});
    at += entry.header_size + entry.size;
  }
  return module;
}

void load_companions() {
  static std::once_flag kernels;
  static std::once_flag operators;
  std::call_once(kernels, [] { load(folder() / "libstand_in_kernels.so"); });
  if (has_library("libtorch_cuda.so"))
    std::call_once(operators, [] { load(folder() / "libstand_in_operators.so"); });
}

}  // namespace stand_in
