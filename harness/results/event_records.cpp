#include "harness/results/event_records.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/scratch_folder.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>

namespace harness::results {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class T>
std::string bytes_of(const T& value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// Seven bits a byte, the lowest first.
std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

enum class Wire : std::uint8_t { varint = 0, eight_bytes = 1, sized = 2, four_bytes = 5 };

std::string head(int field, Wire wire) {
  return varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(wire));
}

constexpr std::uint32_t castagnoli = 0x82F63B78;  // CRC-32C's polynomial, lowest bit first

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    auto crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? castagnoli : 0);
    table[byte] = crc;
  }
  return table;
}

std::string record(const Message& event) {
  const auto length = raw(static_cast<std::uint64_t>(event.text().size()));
  return length + raw(masked_crc(length)) + event.text() + raw(masked_crc(event.text()));
}

/// An Event with a summary of one value. Protobuf leaves out a number that is 0.
std::string value_record(const Moment& moment, const Message& value) {
  Message event;
  event.real(1, moment.wall_time);
  if (moment.step != 0) event.whole(2, static_cast<std::uint64_t>(moment.step));
  return record(event.message(5, Message().message(1, value)));
}

Message metadata(std::string_view plugin, std::string_view about) {
  Message all;
  all.message(1, Message().bytes(1, plugin));
  if (!about.empty()) all.bytes(3, about);
  return all;
}

Message named(std::string_view tag) { return Message().bytes(1, tag); }

}  // namespace

std::string raw(double value) { return bytes_of(value); }
std::string raw(float value) { return bytes_of(value); }
std::string raw(std::uint32_t value) { return bytes_of(value); }
std::string raw(std::uint64_t value) { return bytes_of(value); }

Message& Message::whole(int field, std::uint64_t value) {
  text_ += head(field, Wire::varint) + varint(value);
  return *this;
}

Message& Message::real(int field, double value) {
  text_ += head(field, Wire::eight_bytes) + raw(value);
  return *this;
}

Message& Message::single(int field, float value) {
  text_ += head(field, Wire::four_bytes) + raw(value);
  return *this;
}

Message& Message::bytes(int field, std::string_view value) {
  text_ += head(field, Wire::sized) + varint(value.size());
  text_ += value;
  return *this;
}

std::uint32_t masked_crc(std::string_view bytes) {
  static constexpr auto table = crc_table();
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  constexpr std::uint32_t delta = 0xA282EAD8;
  return std::rotr(~crc, 15) + delta;
}

std::string version_record(double wall_time) {
  return record(Message().real(1, wall_time).bytes(3, "brain.Event:2"));
}

std::string scalar_record(const Moment& moment, std::string_view tag, float value, std::string_view about) {
  auto scalar = named(tag).single(2, value);
  if (!about.empty()) scalar.message(9, metadata("scalars", about));
  return value_record(moment, scalar);
}

std::string text_record(const Moment& moment, std::string_view tag, std::string_view text) {
  constexpr std::uint64_t of_strings = 7;  // DataType: DT_STRING
  const auto tensor = Message().whole(1, of_strings).message(2, {}).bytes(8, text);
  return value_record(moment, named(tag).message(8, tensor).message(9, metadata("text", {})));
}

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

[[noreturn]] void refuse(const std::filesystem::path& file, int error) {
  throw BadInput(fmt::format("{}: the log cannot be written: {}", file.string(),
                             std::generic_category().message(error)));
}

/// A name that no other process, and no earlier file of this one, has in the folder.
Fd new_file(const std::filesystem::path& folder, double now, std::filesystem::path& path) {
  constexpr int most_files = 1000;
  for (int number = 0; number < most_files; ++number) {
    path = folder / fmt::format("{}{:.0f}.tuneproof.{}.{}", event_file_prefix, now, getpid(), number);
    Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
    if (file.get() >= 0) return file;
    if (errno != EEXIST) break;
  }
  refuse(path, errno);
}

}  // namespace

EventFile::EventFile(const std::filesystem::path& folder) {
  const NewFolders folders(folder);
  const auto now = seconds_now();
  file_ = new_file(folder, now, path_);
  try {
    write(version_record(now));
  } catch (const BadInput&) {
    unlink(path_.c_str());
    throw;
  }
}

void EventFile::write(std::string_view records) {
  const auto end = lseek(file_.get(), 0, SEEK_END);
  if (write_all(file_.get(), records)) return;
  const int error = errno;
  if (ftruncate(file_.get(), end) != 0) refuse(path_, errno);
  refuse(path_, error);
}

ScalarLog::ScalarLog(const std::filesystem::path& folder, std::size_t capacity)
    : file_(folder), capacity_(capacity), writer_([this] { write_all(); }) {}

ScalarLog::~ScalarLog() { finish(); }

void ScalarLog::put(std::int64_t step, std::vector<LoggedScalar> scalars) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < capacity_ || error_; });
  rethrow_error();
  waiting_.push_back({std::chrono::duration<double>(now).count(), step, std::move(scalars)});
  changed_.notify_all();
}

void ScalarLog::close() {
  finish();
  rethrow_error();
}

void ScalarLog::finish() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (writer_.joinable()) writer_.join();
}

void ScalarLog::rethrow_error() {
  if (const auto error = std::exchange(error_, nullptr)) std::rethrow_exception(error);
}

void ScalarLog::write(const Entry& entry) {
  std::string records;
  for (const auto& [tag, value] : entry.scalars)
    records += scalar_record({entry.wall_time, entry.step}, tag, static_cast<float>(value()));
  file_.write(records);
}

void ScalarLog::write_all() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !waiting_.empty() || ended_; });
    if (waiting_.empty()) return;
    const auto entry = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    changed_.notify_all();  // there is room for one more while this one is written
    std::exception_ptr error;
    try {
      write(entry);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error) error_ = error;
    changed_.notify_all();
  }
}

}  // namespace harness::results
