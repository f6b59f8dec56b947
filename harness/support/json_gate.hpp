// What a JSON document from outside may not be, beside what the parser refuses.
#pragma once

#include "harness/support/field.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace harness::inline support {

/// Hears a document before it is parsed: with a callback the parser looks at all entries of a list whenever
/// one of them ends. Refuses what the parser alone would let through: members that are there twice, of which
/// it keeps one, and documents that are slow or dangerous to walk through. Throws BadInput with the
/// document's name and where known the place. What is malformed ends the hearing, and the parser says why.
class JsonGate : public Json::json_sax_t {
 public:
  explicit JsonGate(std::string name) : name_(std::move(name)) {}

  bool null() override { return count_value(); }
  bool boolean(bool /*value*/) override { return count_value(); }
  bool number_integer(Json::number_integer_t /*value*/) override { return count_value(); }
  bool number_unsigned(Json::number_unsigned_t /*value*/) override { return count_value(); }
  bool number_float(Json::number_float_t /*value*/, const std::string& /*text*/) override {
    return count_value();
  }
  bool string(std::string& /*value*/) override { return count_value(); }
  bool binary(Json::binary_t& /*value*/) override { return count_value(); }
  bool start_object(std::size_t /*size*/) override;
  bool key(std::string& name) override;
  bool end_object() override;
  bool start_array(std::size_t /*size*/) override { return begin_list(); }
  bool end_array() override { return end_list(); }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*why*/) override {
    return false;
  }

 private:
  struct Object {
    std::set<std::string> keys;
    std::string last;
  };

  bool count_value();
  bool begin_list();
  bool end_list();
  void require_few() const;
  std::string path_of(const std::string& key) const;

  std::string name_;
  std::vector<Object> around_;  // the objects around the place
  int levels_ = 0;
  std::size_t lists_ = 0;
  std::size_t values_ = 0;
};

}  // namespace harness::inline support
