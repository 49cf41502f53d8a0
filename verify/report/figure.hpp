#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace rankfall::verify {

/// Size of a figure and of the box that is plotted in, in pixels from the top left.
struct Canvas {
  double width = 430, height = 340;
  double left = 66, right = 318, top = 58, bottom = 294;
};

/// Words that a page shows when the pointer is near.
struct Hover {
  double x = 0, y = 0;  ///< pixels
  std::string text;
};

/// A figure before and after it is drawn: gnuplot reads NAME.dat through NAME.gp and prints NAME.svg, and
/// writes NAME.pdf where it can.
struct Figure {
  std::string name;  ///< of its files, without extension
  std::string title;
  std::string description;  ///< what a reader who cannot see it should know
  std::string data, script;
  std::string svg = {};  ///< empty until drawn
  Canvas canvas = {};
  std::vector<Hover> hovers = {};
};

inline constexpr int figure_digits = 6;  ///< of a number that is said on hover, or in the data

/// Colours of the figures by what they mean. The page replaces them by its own, for light and dark.
namespace colour {
inline constexpr char ink[] = "#1a1a1a";          ///< the truth, text
inline constexpr char muted[] = "#6e6e6e";        ///< axes and marks
inline constexpr char line[] = "#e2e2e2";         ///< grid
inline constexpr char paper[] = "#d55e00";        ///< the paper's bound
inline constexpr char paper_gamma[] = "#e69f00";  ///< with gamma
inline constexpr char repaired[] = "#0072b2";
inline constexpr char sharp[] = "#56b4e9";
inline constexpr char diameter[] = "#009e73";
inline constexpr char own[] = "#aa3f8f";  ///< a bound of one's own
inline constexpr const char* ordinal[] = {"#9fb8d8", "#7b9bc8", "#577eb6", "#38639f", "#204a84", "#0b3168"};
}  // namespace colour

/// Writes NAME.dat and NAME.gp into `directory`, runs gnuplot there, checks what it prints, writes NAME.svg
/// and keeps it. Throws OutputError when a file cannot be written, Error with gnuplot's words when it fails.
void draw(Figure& figure, const std::filesystem::path& directory);
/// The same, and NAME.pdf, which a gnuplot without cairo leaves out. Every file carries `made`, a line that
/// says how the figure was made; in what is kept it is not seen.
void draw(Figure& figure, const std::filesystem::path& directory, const std::string& made);

/// gnuplot can be started.
bool have_gnuplot();
/// Throws Error, which says how to install it, where it cannot.
void require_gnuplot();

}  // namespace rankfall::verify
