// Reads a file whole, within bounds, and finds files by their names. Unpacks gzip data within bounds: what
// lies about its size or never ends costs no more than the bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::inline support {

/// Enough for 5,000 rows of 14 rounds.
constexpr std::uint64_t most_results_bytes = std::uint64_t{128} << 20;

/// Throws BadInput where neither a file nor a folder can be read: "x: cannot be read: No such file or
/// directory".
void require_readable(const std::filesystem::path& place);

/// The same, and for all but a folder: "x: is a file, not a folder".
void require_folder(const std::filesystem::path& folder);

/// As require_readable, and for a folder.
void require_file(const std::filesystem::path& file);

/// As require_file, and for a pipe and a device, which can be read only once.
void require_regular_file(const std::filesystem::path& file);

/// The text of a file, which gzip may have packed. Throws BadInput, naming the file, where it cannot be read,
/// is damaged, or is larger than `most_bytes`, packed or not; no more than twice that is ever held.
std::string read_text(const std::filesystem::path& file, std::uint64_t most_bytes);

/// Splits what arrives on a descriptor into lines.
class LineReader {
 public:
  /// A line longer than `limit` bytes is given out in pieces: garbage must not fill the memory.
  explicit LineReader(std::size_t limit = std::size_t{64} << 20) : limit_(limit) {}

  /// Takes what is there without waiting, at most 1 MiB; false at the end of the stream. The descriptor is
  /// nonblocking.
  bool read(int fd);
  /// The next complete line without its end.
  std::optional<std::string> next();
  /// What came after the last complete line; worth asking for at the end of the stream.
  std::string rest();

 private:
  std::size_t limit_;
  std::string buffer_;
  std::size_t searched_ = 0;
};

enum class Depth { one, all };

/// True for the names under which a folder's results and traces are looked for: *.json and *.json.gz.
bool is_json_name(const std::filesystem::path& file);

/// The files whose names `wanted` takes, sorted; at `Depth::all` those of the folders in it too. A link that
/// leads nowhere is one of them, so that whoever reads it says so. Throws BadInput where a folder cannot be
/// read.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            bool (*wanted)(const std::filesystem::path&),
                                            Depth depth = Depth::one);

/// True where the bytes begin as gzip data do.
bool is_gzip(std::string_view bytes);

/// What the messages name, and how far unpacking goes.
struct UnpackLimits {
  std::string file;
  std::uint64_t most_bytes = 0;
  std::string advice = {};  // behind "more than N bytes": how to raise the limit
};

/// Where the unpacked bytes go.
struct Room {
  char* data = nullptr;
  std::size_t size = 0;
};

/// Room for `size` bytes that keeps what the room before held.
using MakeRoom = std::function<Room(std::size_t size)>;

/// Unpacks every gzip member of `packed`; what stands behind the last one is padding. Returns the bytes
/// unpacked. Throws BadInput, one sentence, where the data are damaged, cut short, or larger than allowed.
std::size_t unpack_gzip(std::string_view packed, const UnpackLimits& limits, const MakeRoom& make_room);

}  // namespace harness::inline support
