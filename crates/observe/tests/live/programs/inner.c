/* Stands for a library of primitives, stripped: the exported function leaves its frame to one without a name. */
#include <stdint.h>

static volatile uint64_t sink;

__attribute__((noinline)) static int grind(uint64_t rounds)
{
    uint64_t number = rounds;
    for (uint64_t round = 0; round < 200000; round++)
        number = number * 6364136223846793005u + round;
    sink = number;
    return (int)(number & 1);
}

__attribute__((noinline)) int inner_sign(uint64_t rounds)
{
    return grind(rounds + 1);
}
