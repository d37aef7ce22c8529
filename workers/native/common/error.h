/* The error text of each thread. */
#ifndef TLX_COMMON_ERROR_H
#define TLX_COMMON_ERROR_H

#include "../tlx.h"

/* Records the formatted text as this thread's error text, cut off where there is no room for more; returns `result`. */
int tlx_report(int result, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Records "<library version> has no <what>"; returns TLX_UNSUPPORTED. */
int tlx_unsupported(const char *what);

#endif
