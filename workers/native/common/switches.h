/* Doing without features of the CPU: lists of them, and what a library does without, shown by what its operations cost,
 * where it does not say. */
#ifndef TLX_COMMON_SWITCHES_H
#define TLX_COMMON_SWITCHES_H

#include <stddef.h>

/* How many bytes each operation is given. */
enum { TLX_COST_SIZE = 16384 };

/* Buffers of the operations; a backend's own structure begins with them. */
struct tlx_cost_buffers {
    unsigned char in[TLX_COST_SIZE], out[TLX_COST_SIZE + 16];
};

/* One call each over the bytes in `in`, which are all 1; null where the operation could not be set up. */
struct tlx_cost_calls {
    void (*decrypt_aes_cbc)(struct tlx_cost_buffers *);
    void (*authenticate_aes_gcm)(struct tlx_cost_buffers *); /* additional data alone: GHASH without encryption */
    void (*hash_sha256)(struct tlx_cost_buffers *);
    void (*hash_sha512)(struct tlx_cost_buffers *);
};

/* Writes names of the tlstax vocabulary, separated by spaces. */
void tlx_cost_without(const struct tlx_cost_calls *calls, struct tlx_cost_buffers *buffers, char *text, size_t room);

/* Whether the list, words with spaces or commas between them, has the word. */
int tlx_lists(const char *list, const char *word);

#endif
