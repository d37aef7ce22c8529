#include "text.h"

#include <stdlib.h>
#include <string.h>

unsigned char *tlx_text(struct tlx_bytes bytes) {
    unsigned char *text = malloc(bytes.length + 1);
    if (text == NULL)
        return NULL;
    if (bytes.length > 0)
        memcpy(text, bytes.data, bytes.length);
    text[bytes.length] = 0;
    return text;
}
