/* Texts for libraries that take no length. */
#ifndef TLX_COMMON_TEXT_H
#define TLX_COMMON_TEXT_H

#include "../tlx.h"

/* A copy of the bytes with a 0 behind them, to be freed; null without memory. */
unsigned char *tlx_text(struct tlx_bytes bytes);

#endif
