#pragma once

namespace rankfall::verify {

/// Ctrl-C was pressed while work was being finished in good order.
class Interrupted {};

inline constexpr int interrupted_exit = 130;

/// From now on SIGINT, SIGTERM and SIGHUP (unless it is ignored) end the program at once with exit code 130;
/// a closed pipe and a file beyond the size limit are errors of the write instead of signals.
void install_interrupt_handlers();

/// While one lives, an interrupt only raises a flag, so that half-made files can be removed; a second one
/// ends at once.
class DeferredInterrupt {
 public:
  DeferredInterrupt();
  ~DeferredInterrupt();
  DeferredInterrupt(const DeferredInterrupt&) = delete;
  DeferredInterrupt& operator=(const DeferredInterrupt&) = delete;
  bool requested() const;
  /// Throws Interrupted when an interrupt was requested.
  void check() const;
};

}  // namespace rankfall::verify
