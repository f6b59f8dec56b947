// Packs text as gzip does.
#pragma once

#include <libdeflate.h>

#include <memory>
#include <string>

namespace tests {

/// One gzip member.
inline std::string packed(const std::string& text) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> packer(
      libdeflate_alloc_compressor(6), libdeflate_free_compressor);
  std::string out(libdeflate_gzip_compress_bound(packer.get(), text.size()), '\0');
  out.resize(libdeflate_gzip_compress(packer.get(), text.data(), text.size(), out.data(), out.size()));
  return out;
}

}  // namespace tests
