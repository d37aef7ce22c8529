/* Doing without features of the CPU: lists of them, and what a library does without, shown by what its operations cost,
 * where it does not say. */
#ifndef TLX_COMMON_SWITCHES_H
#define TLX_COMMON_SWITCHES_H

#include <stddef.h>

/* What each operation is given. */
enum { TLX_COST_SIZE = 16384 };
extern const unsigned char tlx_cost_input[TLX_COST_SIZE];

/* Writes names of the tlstax vocabulary, separated by spaces. `authenticate` is AES-GCM over the input as additional data alone:
 * GHASH without encryption; its context is null where it could not be set up. The others are operations of the backend. */
void tlx_cost_without(void (*authenticate)(void *gcm), void *gcm, char *text, size_t room);

/* Whether the list, words with spaces or commas between them, has the word. */
int tlx_lists(const char *list, const char *word);

#endif
