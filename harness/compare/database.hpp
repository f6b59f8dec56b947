// SQLite, as far as it is needed here: one owner per handle, errors as sentences.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace harness::compare {

/// A prepared statement. Parameters and columns count from 0.
class Statement {
 public:
  Statement& bind(int parameter, std::string_view text);
  Statement& bind(int parameter, double number);  // NaN becomes NULL
  Statement& bind(int parameter, std::int64_t number);
  /// True while there is a row; afterwards the statement can be bound anew.
  bool step();

  std::string text(int column) const;
  double number(int column) const;  // NaN for NULL
  std::int64_t integer(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3* database, const std::string& file, std::string_view sql);
  void check(int code) const;

  sqlite3* database_;
  std::string file_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Mode { read, write };
  /// Opens the file; `write` makes it where it is missing. Throws BadInput naming the file, also for one that
  /// is not a database.
  Database(const std::filesystem::path& file, Mode mode);
  /// One in memory, which is gone with its owner.
  static Database in_memory() { return Database(":memory:", write_flags()); }

  Statement prepare(std::string_view sql) const { return {database_.get(), file_, sql}; }
  /// Runs one statement that gives no rows.
  void run(std::string_view sql) const { prepare(sql).step(); }
  const std::string& file() const { return file_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  Database(std::string file, int flags);
  static int write_flags();

  std::string file_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace harness::compare
