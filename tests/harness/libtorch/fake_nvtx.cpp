// Stands in for Nsight Systems: NVTX loads it where NVTX_INJECTION64_PATH names it, and it writes every range
// that is pushed, with its domain, to the file that TUNEPROOF_NVTX_LOG names.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>

namespace {

/// One per domain, made by `create` and never freed: NVTX has no moment at which that would be safe.
struct Domain {
  const char* name;
};

nvtxDomainHandle_t create(const char* name) { return reinterpret_cast<nvtxDomainHandle_t>(new Domain{name}); }

int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  const char* const file = std::getenv("TUNEPROOF_NVTX_LOG");
  if (file == nullptr || domain == nullptr || event->messageType != NVTX_MESSAGE_TYPE_ASCII) return 0;
  if (std::FILE* log = std::fopen(file, "a")) {
    std::fprintf(log, "%s: %s\n", reinterpret_cast<Domain*>(domain)->name, event->message.ascii);
    std::fclose(log);
  }
  return 0;
}

template <class Function>
void set(NvtxFunctionTable table, int which, Function function) {
  *table[which] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(export_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0 ||
      size <= NVTX_CBID_CORE2_DomainCreateA)
    return 0;
  set(table, NVTX_CBID_CORE2_DomainCreateA, create);
  set(table, NVTX_CBID_CORE2_DomainRangePushEx, push);
  return 1;
}
