#include "harness/compare/database.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <sqlite3.h>
#include <system_error>
#include <utility>

namespace harness::compare {
namespace {

constexpr int patience_ms = 10'000;  // while another job of the same pool adds to the file

[[noreturn]] void fail(const std::string& file, sqlite3* database, int code) {
  if (code == SQLITE_NOTADB)
    throw BadInput(file + ": is not a history; tuneproof history add --db FILE makes one");
  throw BadInput(
      fmt::format("{}: {}", file, database == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database)));
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(sqlite3* database, const std::string& file, std::string_view sql)
    : database_(database), file_(file) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
  statement_.reset(statement);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) fail(file_, database_, code);
}

Statement& Statement::bind(int parameter, std::string_view text) {
  check(sqlite3_bind_text(statement_.get(), parameter + 1, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind(int parameter, double number) {
  check(std::isfinite(number) ? sqlite3_bind_double(statement_.get(), parameter + 1, number)
                              : sqlite3_bind_null(statement_.get(), parameter + 1));
  return *this;
}

Statement& Statement::bind(int parameter, std::int64_t number) {
  check(sqlite3_bind_int64(statement_.get(), parameter + 1, number));
  return *this;
}

bool Statement::step() {
  const auto code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) fail(file_, database_, code);
  check(sqlite3_reset(statement_.get()));
  return false;
}

std::string Statement::text(int column) const {
  const auto* const text = sqlite3_column_text(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text), size);
}

double Statement::number(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL)
    return std::numeric_limits<double>::quiet_NaN();
  return sqlite3_column_double(statement_.get(), column);
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

int Database::write_flags() { return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE; }

Database::Database(std::string file, int flags) : file_(std::move(file)) {
  sqlite3* database = nullptr;
  const auto code = sqlite3_open_v2(file_.c_str(), &database, flags, nullptr);
  database_.reset(database);
  if (code != SQLITE_OK) fail(file_, database, code);
  sqlite3_busy_timeout(database, patience_ms);
}

namespace {

/// Its name, if it may hold a history.
std::string checked_name(const std::filesystem::path& file, Database::Mode mode) {
  auto name = file.string();
  // To SQLite these are no files: what is added there is gone with the program.
  if (name.empty() || name.starts_with(':') || name.starts_with("file:"))
    throw BadInput(
        fmt::format("--db '{}': a history is kept in a file; name one, such as history.sqlite", name));
  std::error_code ignored;
  if (mode == Database::Mode::read || std::filesystem::exists(file, ignored)) require_regular_file(file);
  return name;
}

}  // namespace

/// Where the file may be written a reader asks for that too: SQLite then undoes what a killed writer left.
Database::Database(const std::filesystem::path& file, Mode mode)
    : Database(checked_name(file, mode), mode == Mode::read ? SQLITE_OPEN_READWRITE : write_flags()) {}

}  // namespace harness::compare
