#pragma once
#include <chrono>
#include <cstddef>
#include <string>

namespace rankfall::verify {

/// One line of at most `width` columns: label, bar, count, rate, estimated time to the end, and a note.
std::string progress_line(const std::string& label, std::size_t done, std::size_t total,
                          double elapsed_seconds, std::size_t width, const std::string& note = "");

/// A bar on standard error, drawn over itself and wiped when it ends. Where standard error is not a terminal:
/// nothing, or a line a minute. Not for use from several threads at once.
class ProgressBar {
 public:
  enum class Elsewhere { nothing, line_a_minute };

  explicit ProgressBar(std::string label, Elsewhere elsewhere = Elsewhere::nothing,
                       std::chrono::milliseconds a_minute = std::chrono::minutes(1));
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void update(std::size_t done, std::size_t total, const std::string& note = "");

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  Elsewhere elsewhere_;
  std::chrono::milliseconds a_minute_;
  bool shown_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace rankfall::verify
