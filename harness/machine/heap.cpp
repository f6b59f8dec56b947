#include "harness/machine/heap.hpp"

#include <malloc.h>

namespace harness::inline machine {

void keep_freed_memory() {
  // NOLINTBEGIN(concurrency-mt-unsafe): called before there are threads
  mallopt(M_MMAP_MAX, 0);         // nothing by mmap, which free() undoes at once
  mallopt(M_TRIM_THRESHOLD, -1);  // nothing back from the heap's end
  // NOLINTEND(concurrency-mt-unsafe)
}

}  // namespace harness::inline machine
