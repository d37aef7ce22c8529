/* Doing without features of the CPU by OPENSSL_ia32cap, as OpenSSL and the libraries that came from it read it.
 *
 * The variable holds words of 64 bits, colons between them; "~" takes bits away. As many words are always written as
 * the library has: OpenSSL clears those that are left out whole, and with them much that was not meant; BoringSSL takes
 * no second word that a third one follows. The bits of a word are those of two registers of CPUID: leaf 1 EDX and ECX;
 * leaf 7 EBX and ECX; leaf 7 EDX and leaf 7.1 EAX; leaf 7.1 EDX and ECX; AVX10.
 */
#ifndef TLX_COMMON_IA32CAP_H
#define TLX_COMMON_IA32CAP_H

#include "error.h"

/* The first two words of a library's capability vector, as OpenSSL prints them. */
const char *tlx_ia32cap_words(const uint32_t *vector);

/* tlx_without. `cpu` is what the library uses, as it prints it: "OPENSSL_ia32cap=0x..:0x..", as many words as it has, or
 * empty on another kind of processor. A library that was built without assembly (`bare`) does without everything already. */
int tlx_ia32cap_without(const char *features, const char *cpu, int bare, char *settings, size_t room);

/* tlx_is_without, of the same. */
const char *tlx_ia32cap_is_without(const char *cpu, int bare);

#endif
