#include "lookup.h"

#include <stdlib.h>
#include <string.h>

const void *tlx_row(const void *rows, size_t count, size_t size, int code) {
    for (const char *row = rows; count-- > 0; row += size)
        if (*(const int *)(const void *)row == code)
            return row;
    return NULL;
}

int tlx_group_named(const struct tlx_group *groups, size_t count, const char *name) {
    for (size_t i = 0; name != NULL && i < count; i++)
        if (strcmp(groups[i].name, name) == 0)
            return groups[i].code;
    return 0;
}
