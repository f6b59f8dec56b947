#include "microbench/loop/checkpoint_file.hpp"

#include "harness/support/fd.hpp"

#include <ATen/ATen.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>

namespace microbench {
namespace {

[[noreturn]] void fail(const std::string& doing) {
  throw std::system_error(errno, std::generic_category(), doing);
}

void append(std::string& bytes, const void* data, std::size_t size) {
  bytes.append(static_cast<const char*>(data), size);
}

}  // namespace

std::string checkpoint_head(const at::Tensor& tensor) {
  std::string bytes;
  const auto sizes = tensor.sizes();
  const auto dimensions = static_cast<std::int64_t>(sizes.size());
  append(bytes, &dimensions, sizeof dimensions);
  append(bytes, sizes.data(), sizes.size() * sizeof sizes[0]);
  return bytes;
}

std::string checkpoint_bytes(const std::vector<at::Tensor>& state) {
  std::string bytes;
  for (const auto& tensor : state) {
    const auto values = tensor.contiguous();
    bytes += checkpoint_head(values);
    append(bytes, values.const_data_ptr(), values.nbytes());
  }
  return bytes;
}

void write_checkpoint(const std::filesystem::path& file, std::string_view bytes) {
  auto unfinished = file;
  unfinished += ".unfinished";
  const harness::Fd out(open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (out.get() < 0) fail("making a checkpoint");
  if (!harness::write_all(out.get(), bytes)) fail("writing a checkpoint");
  if (fsync(out.get()) != 0) fail("syncing a checkpoint");
  if (rename(unfinished.c_str(), file.c_str()) != 0) fail("naming a checkpoint");
}

}  // namespace microbench
