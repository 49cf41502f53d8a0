#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "verify/output.hpp"
#include "verify/report/chart.hpp"
#include "verify/report/html.hpp"

namespace rankfall::verify {
namespace {

constexpr int could_not_start = 127;

struct Outcome {
  int status = 0;
  std::string out, error;
};

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

std::pair<Descriptor, Descriptor> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(fmt::format("no pipe to gnuplot: {}", std::strerror(errno)));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// The child's part: nothing here may allocate, since other threads may have existed.
[[noreturn]] void become_gnuplot(const char* directory, char* const* arguments, int out, int error) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 || ::dup2(out, STDOUT_FILENO) < 0 ||
      ::dup2(error, STDERR_FILENO) < 0 || ::chdir(directory) != 0)
    ::_exit(could_not_start);
  ::execvp(arguments[0], arguments);
  ::_exit(could_not_start);
}

/// Reads both ends until both are closed.
void drain(const Descriptor& out, const Descriptor& error, Outcome& outcome) {
  std::array<pollfd, 2> ends{{{out.get(), POLLIN, 0}, {error.get(), POLLIN, 0}}};
  const std::array<std::string*, 2> texts{&outcome.out, &outcome.error};
  std::array<char, 1 << 16> buffer{};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t count = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (count > 0) texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) ends[i].fd = -1;  // poll skips it from now on
    }
  }
}

Outcome run_gnuplot(const std::filesystem::path& directory, const std::string& argument) {
  auto [out_read, out_write] = make_pipe();
  auto [error_read, error_write] = make_pipe();
  const std::string place = directory.string();
  std::array<std::string, 3> words{"gnuplot", "-d", argument};  // -d: whatever the user's settings are
  std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
  const pid_t child = ::fork();
  if (child < 0) throw Error(fmt::format("gnuplot cannot be started: {}", std::strerror(errno)));
  if (child == 0) become_gnuplot(place.c_str(), arguments.data(), out_write.get(), error_write.get());
  out_write.close();
  error_write.close();
  Outcome outcome;
  drain(out_read, error_read, outcome);
  while (::waitpid(child, &outcome.status, 0) < 0 && errno == EINTR) {
  }
  return outcome;
}

bool succeeded(const Outcome& outcome) {
  return WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0;
}

}  // namespace

bool have_gnuplot() {
  return succeeded(run_gnuplot("/", "--version"));
}

void require_gnuplot() {
  if (!have_gnuplot())
    throw Error(
        "gnuplot, which draws the figures, cannot be started; install it (on Debian: apt-get install "
        "gnuplot-nox)");
}

namespace {

/// The line as it is seen below a figure: as much of it as there is room for.
std::string shortened(const std::string& made, double width) {
  const auto most = static_cast<std::size_t>(width / 3.6);
  return made.size() <= most ? made : made.substr(0, most - 3) + "...";
}

/// The same plot again, as PDF, where this gnuplot has cairo.
std::string pdf_part(const Figure& figure, const std::string& made) {
  return fmt::format(
      "if (strstrt(GPVAL_TERMINALS, \"pdfcairo\")) {{\n"
      "  set terminal pdfcairo size {}in,{}in enhanced font \"sans-serif,12\"\n"
      "  set output \"{}.pdf\"\n"
      "  set label {} at screen 0.01,screen 0.015 noenhanced font \"sans-serif,6\" textcolor rgb '{}'\n"
      "  replot\n  unset output\n}}\n",
      figure.canvas.width / 72, figure.canvas.height / 72, figure.name,
      quoted(shortened(made, figure.canvas.width)), colour::muted);
}

std::string signed_svg(const Figure& figure, const std::string& made) {
  std::string svg = figure.svg;
  const std::string line = fmt::format(
      "<metadata>{}</metadata>\n<text x=\"4\" y=\"{}\" font-family=\"sans-serif\" font-size=\"6\" "
      "fill=\"{}\">{}</text>\n",
      escaped(made), figure.canvas.height - 4, colour::muted, escaped(shortened(made, figure.canvas.width)));
  return svg.insert(svg.rfind("</svg>"), line);
}

/// So that the same command gives the same bytes: cairo writes the time into a PDF.
void without_time(const std::filesystem::path& pdf) {
  std::ifstream file(pdf, std::ios::binary);
  if (!file) return;
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (text.find("%%EOF") == std::string::npos)
    throw OutputError("gnuplot wrote only a part of " + pdf.string());
  constexpr std::string_view key = "/CreationDate (D:", moment = "20000101000000";
  if (const std::size_t at = text.find(key); at != std::string::npos)
    text.replace(at + key.size(), moment.size(), moment);
  write_file(pdf, text);
}

/// Runs NAME.gp and keeps what it prints.
void run_script(Figure& figure, const std::filesystem::path& directory) {
  Outcome outcome = run_gnuplot(directory, figure.name + ".gp");
  if (!succeeded(outcome) || outcome.out.find("</svg>") == std::string::npos)
    throw Error(fmt::format("gnuplot failed on {}.gp: {}", figure.name,
                            outcome.error.empty() ? "it printed no whole figure" : outcome.error));
  figure.svg = std::move(outcome.out);
}

}  // namespace

void draw(Figure& figure, const std::filesystem::path& directory) {
  write_file(directory / (figure.name + ".dat"), figure.data);
  write_file(directory / (figure.name + ".gp"), figure.script);
  run_script(figure, directory);
  write_file(directory / (figure.name + ".svg"), figure.svg);
}

void draw(Figure& figure, const std::filesystem::path& directory, const std::string& made) {
  write_file(directory / (figure.name + ".dat"), "# " + made + '\n' + figure.data);
  write_file(directory / (figure.name + ".gp"), "# " + made + '\n' + figure.script + pdf_part(figure, made));
  run_script(figure, directory);
  write_file(directory / (figure.name + ".svg"), signed_svg(figure, made));
  without_time(directory / (figure.name + ".pdf"));
}

}  // namespace rankfall::verify
