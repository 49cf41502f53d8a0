#pragma once
#include <chrono>
#include <cstddef>
#include <string>

namespace rankfall::verify {

/// One line of at most `width` columns: label, bar, count, rate and estimated time to the end.
std::string progress_line(const std::string& label, std::size_t done, std::size_t total,
                          double elapsed_seconds, std::size_t width);

/// A bar on standard error, drawn over itself; nothing where standard error is not a terminal. The line is
/// wiped when the bar ends. Not for use from several threads at once.
class ProgressBar {
 public:
  explicit ProgressBar(std::string label);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void update(std::size_t done, std::size_t total);

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool shown_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace rankfall::verify
