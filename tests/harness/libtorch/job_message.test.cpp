#include "harness/libtorch/store.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>
#include <string>

namespace {

using namespace harness;

TEST_CASE("an order comes out of its bytes as it went in", "[ranks]") {
  const Request request{.act = Act::warm_up, .form = Form::optimized, .set = 1};
  const auto order = job_message_from(to_bytes({Order::request, as_text(request)}));
  CHECK(order.order == Order::request);
  CHECK(order.text == as_text(request));
  const auto over = job_message_from(to_bytes({Order::over, "3"}));
  CHECK(over.order == Order::over);
  CHECK(over.text == "3");
}

TEST_CASE("a reply keeps its reason, cut where it does not fit", "[ranks]") {
  const auto reply = reply_from(as_text(reply_of(End::failed, std::string(1000, 'x'))));
  CHECK(reply.end == End::failed);
  CHECK(std::string(reply.why) == std::string(sizeof reply.why - 1, 'x'));
}

TEST_CASE("bytes that are no message are refused", "[ranks]") {
  CHECK_THROWS_AS(job_message_from({}), std::runtime_error);
  CHECK_THROWS_AS(job_message_from({99}), std::runtime_error);
  CHECK_THROWS_AS(reply_from("short"), std::runtime_error);
}

}  // namespace
