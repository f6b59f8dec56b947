#include "stand_in/runtime/launch.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <mutex>

namespace stand_in {
namespace {

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

void load_companions() {
  static std::once_flag kernels;
  static std::once_flag operators;
  std::call_once(kernels, [] { load(folder() / "libstand_in_kernels.so"); });
  if (has_library("libtorch_cuda.so"))
    std::call_once(operators, [] { load(folder() / "libstand_in_operators.so"); });
}

}  // namespace stand_in
