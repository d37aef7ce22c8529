/* Stands for a library of a protocol, stripped: what calls the other library has no name. */
#include <stdint.h>

int inner_sign(uint64_t rounds);

__attribute__((noinline)) static int step(uint64_t rounds)
{
    return inner_sign(rounds) + 1;
}

__attribute__((noinline)) int outer_handshake(uint64_t rounds)
{
    return step(rounds) + 2;
}
