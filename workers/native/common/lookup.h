/* Tables that say what a library has for a code point of the IANA registry. */
#ifndef TLX_COMMON_LOOKUP_H
#define TLX_COMMON_LOOKUP_H

#include "../tlx.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* The row of a table whose first member, an int, is the code point; null if there is none. */
#define TLX_ROW(table, code) tlx_row((table), COUNT(table), sizeof *(table), (code))
const void *tlx_row(const void *rows, size_t count, size_t size, int code);

/* What the library calls a group. */
struct tlx_group {
    int code;
    const char *name;
};

/* The code point of the group with this name; 0 if the table has none, or the name is null. */
int tlx_group_named(const struct tlx_group *groups, size_t count, const char *name);

#endif
