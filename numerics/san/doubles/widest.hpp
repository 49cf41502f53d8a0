#pragma once
// Functions compiled for several widths of vectors, of which the machine picks one when the program starts.
// None of them fuses or reorders operations on its own, so that all give the same bits.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define RANKFALL_WIDEST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define RANKFALL_WIDEST
#endif
