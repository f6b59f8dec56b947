// Scalars of a training, written by a thread of their own into an event file that grows, which TensorBoard
// may already read; and its records: length, its checksum, an Event message, its checksum. The fields'
// numbers are those of TensorBoard's event.proto, summary.proto and tensor.proto. A message is written field
// by field: the format has four kinds of fields, and its library would be a second copy beside LibTorch's own
// in the worker, and would need these files and a compiler for them.
#pragma once

#include "harness/support/fd.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace harness::results {

class Message {
 public:
  Message& whole(int field, std::uint64_t value);
  Message& real(int field, double value);
  Message& single(int field, float value);
  Message& bytes(int field, std::string_view value);
  Message& message(int field, const Message& value) { return bytes(field, value.text()); }

  /// The message as it stands in a file.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// The bytes of a number as they lie in memory: protobuf and TFRecord take the lowest byte first, as all
/// machines do that tuneproof runs on.
std::string raw(double value);
std::string raw(float value);
std::string raw(std::uint32_t value);
std::string raw(std::uint64_t value);

/// CRC-32C of the bytes, rotated and shifted as TFRecord files store it.
std::uint32_t masked_crc(std::string_view bytes);

/// When something happened: seconds since 1970, and the step on TensorBoard's axis.
struct Moment {
  double wall_time = 0;
  std::int64_t step = 0;
};

/// What begins every event file.
std::string version_record(double wall_time);

/// A number. `about`, where it is not empty, is what the page shows behind the card's sign of information.
std::string scalar_record(const Moment& moment, std::string_view tag, float value,
                          std::string_view about = {});

/// Markdown.
std::string text_record(const Moment& moment, std::string_view tag, std::string_view text);

/// What TensorBoard looks for in a file's name.
inline constexpr std::string_view event_file_prefix = "events.out.tfevents.";

class EventFile {
 public:
  /// Makes `folder` where it is missing and a new file in it, with its first record. Throws BadInput, naming
  /// the place and the reason.
  explicit EventFile(const std::filesystem::path& folder);

  /// Appends whole records. Throws BadInput where they cannot be written; the file then ends with the last
  /// whole one.
  void write(std::string_view records);

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Fd file_;
};

/// A number that may not be known yet, as a loss that a device still computes: the writer asks for it.
struct LoggedScalar {
  std::string tag;
  std::function<double()> value;
};

class ScalarLog {
 public:
  /// Makes the event file in `folder`. At most `capacity` steps wait for the writer. Throws BadInput where
  /// the file cannot be made.
  explicit ScalarLog(const std::filesystem::path& folder, std::size_t capacity = 64);
  /// Writes what is left. An error that nobody has asked for by `close` is lost.
  ~ScalarLog();
  ScalarLog(const ScalarLog&) = delete;
  ScalarLog& operator=(const ScalarLog&) = delete;

  /// Hands a step's numbers over; waits only while `capacity` steps are waiting. Throws what the writer met,
  /// once.
  void put(std::int64_t step, std::vector<LoggedScalar> scalars);
  /// Waits until all is in the file. Throws what the writer met.
  void close();

  const std::filesystem::path& path() const { return file_.path(); }

 private:
  struct Entry {
    double wall_time;
    std::int64_t step;
    std::vector<LoggedScalar> scalars;
  };
  void write_all();
  void write(const Entry& entry);
  void finish();
  void rethrow_error();

  EventFile file_;
  std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> waiting_;
  bool ended_ = false;
  std::exception_ptr error_;
  std::thread writer_;
};

}  // namespace harness::results
