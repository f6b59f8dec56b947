#include "harness/machine/heap.hpp"

#include <malloc.h>

namespace harness::inline machine {

void keep_freed_memory() {
  // NOLINTBEGIN(concurrency-mt-unsafe): called before there are threads
  mallopt(M_MMAP_MAX, 0);         // nothing by mmap, which free() undoes at once
  mallopt(M_TRIM_THRESHOLD, -1);  // nothing back from the heap's end
  // NOLINTEND(concurrency-mt-unsafe)
}

void give_back_freed_memory() {
  constexpr int most_mappings = 65536, trim_threshold = 128 << 10;  // glibc's defaults
  // NOLINTBEGIN(concurrency-mt-unsafe): glibc locks its heap meanwhile
  mallopt(M_MMAP_MAX, most_mappings);
  mallopt(M_TRIM_THRESHOLD, trim_threshold);
  // NOLINTEND(concurrency-mt-unsafe)
  malloc_trim(0);
}

}  // namespace harness::inline machine
