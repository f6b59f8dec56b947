#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

/// What the stand-in's runtime offers to the kernels and operators that run on it.
namespace [[gnu::visibility("default")]] stand_in {

/// Pageable host memory where a device needs memory that it can reach.
struct HostPointer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where a stream's thread finds what `p` names. Device memory has a mapping of its own for that; pinned,
/// mapped, managed and registered memory is reached by its own address. Pageable host memory throws
/// HostPointer.
void* work_side(const void* p);

/// True if `p` lies in a device's address range, whether allocated or not.
bool is_device(const void* p);

/// Changes `bytes` of launch arguments in place: every aligned word that holds a device address gets the
/// address of its work side; a word that holds the address of pageable host memory throws HostPointer.
void translate(void* arguments, std::size_t bytes);

/// A command as the record (STAND_IN_RECORD) and a captured graph describe it.
struct Command {
  std::string what;  ///< kernel, operator, memcpy, memset, event, wait, host: decides the graph node's type
  std::string name;  ///< the kernel's or operator's name, the copy's direction
  std::size_t bytes = 0;   ///< read and written together, as far as known
  double sorted = 0;       ///< of these, what sorts of a sparse matrix's entries go over
  double flop = 0;         ///< of products
  std::string unit = {};   ///< of products: fp32, tf32, fp16
  unsigned blocks = 0;     ///< of a kernel's launch
  bool counted = false;    ///< a kernel whose bytes and FLOP are known, or how long it takes
  double seconds = 0;      ///< that a kernel takes, where its length was chosen
  double as_copy = 0;      ///< bytes whose copy to the device takes as long, where that was chosen
  bool reduction = false;  ///< an operator that adds up, and the like
};

/// Queues `work` on the stream, or adds it as a node to the capture that the stream is in.
cudaError_t submit(cudaStream_t stream, const Command& command, std::function<void()> work);
cudaError_t submit(cudaStream_t stream, const char* what, std::function<void()> work);

/// As submit, but neither recorded nor counted as a node (poisoning of new tensors).
cudaError_t submit_unseen(cudaStream_t stream, std::function<void()> work);

bool is_capturing(cudaStream_t stream);

/// Work that was queued failed as a kernel fails: the error sticks until the process ends.
void fail(cudaError_t error, const std::string& why);

/// From a launch's arguments to the work that runs later; it translates pointers and copies arguments by
/// value.
using Unpack = std::function<std::function<void()>(void** arguments, dim3 grid, dim3 block)>;

/// Announces a kernel compiled for the host, by its file's stem and its function's name.
void add_kernel(std::string file, std::string name, Unpack unpack);

/// Announces a `__constant__` variable of such a file.
void add_variable(std::string file, std::string name, void* at);

}  // namespace stand_in
