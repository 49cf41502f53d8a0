#include "verify/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rankfall::verify {
namespace {

constexpr std::size_t least_bar = 6, longest_bar = 40;
constexpr auto redraw_interval = std::chrono::milliseconds(100);

std::string duration(double seconds) {
  const long whole = std::lround(seconds);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::size_t terminal_width() {
  struct winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

void draw(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string progress_line(const std::string& label, std::size_t done, std::size_t total,
                          double elapsed_seconds, std::size_t width, const std::string& note) {
  std::string tail = fmt::format(" {}/{}", done, total);
  if (done > 0 && elapsed_seconds > 0) {
    const double rate = static_cast<double>(done) / elapsed_seconds;
    tail += rate >= 1 ? fmt::format("  {:.1f}/s", rate) : fmt::format("  {:.1f} s each", 1 / rate);
    tail += "  ETA " + duration(static_cast<double>(total - done) / rate);
  }
  tail += note;
  const std::size_t taken = label.size() + tail.size() + 3;
  if (taken + least_bar > width) return (label + tail).substr(0, width);
  const std::size_t length = std::min(longest_bar, width - taken);
  const std::size_t filled = total > 0 ? length * done / total : length;
  return label + " [" + std::string(filled, '#') + std::string(length - filled, '.') + "]" + tail;
}

ProgressBar::ProgressBar(std::string label, Elsewhere elsewhere, std::chrono::milliseconds a_minute)
    : label_(std::move(label)),
      elsewhere_(elsewhere),
      a_minute_(a_minute),
      shown_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (drawn_) draw("\r\x1b[K");
}

void ProgressBar::update(std::size_t done, std::size_t total, const std::string& note) {
  const Clock::time_point now = Clock::now();
  if (!shown_) {
    if (elsewhere_ == Elsewhere::nothing || now - last_ < a_minute_) return;
    last_ = now;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    return draw(progress_line(label_, done, total, elapsed, std::string::npos, note) + "\n");
  }
  if (drawn_ && done < total && now - last_ < redraw_interval) return;
  last_ = now;
  drawn_ = true;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  draw("\r" + progress_line(label_, done, total, elapsed, terminal_width() - 1, note) + "\x1b[K");
}

}  // namespace rankfall::verify
