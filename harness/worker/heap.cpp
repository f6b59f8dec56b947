#include "harness/worker/heap.hpp"

#include <malloc.h>

namespace harness {

void keep_freed_memory() {
  mallopt(M_MMAP_MAX, 0);         // nothing by mmap, which free() undoes at once
  mallopt(M_TRIM_THRESHOLD, -1);  // nothing back from the heap's end
}

}  // namespace harness
