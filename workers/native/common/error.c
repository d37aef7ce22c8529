#include "error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char error_text[512];

const char *tlx_error(void) { return error_text; }

int tlx_report(int result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error_text, sizeof error_text, format, arguments);
    va_end(arguments);
    return result;
}

int tlx_unsupported(const char *what) { return tlx_report(TLX_UNSUPPORTED, "%s has no %s", tlx_version(), what); }
