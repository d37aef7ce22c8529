/* AF_ALG: sockets. A bound one stands for an algorithm with its key, one accepted from it does the work. */

#define _GNU_SOURCE

#include "afalg_operation.h"

#include <errno.h>
#include <linux/if_alg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SOL_ALG
#define SOL_ALG 279
#endif

/* Closes without changing errno; always -1. */
static int closed(int socket) {
    int before = errno;
    close(socket);
    errno = before;
    return -1;
}

/* A socket of this type and algorithm, or -1 with errno. */
static int bound_to(const char *type, const char *kernel) {
    struct sockaddr_alg address = {.salg_family = AF_ALG};
    int bound = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (bound < 0)
        return -1;
    snprintf((char *)address.salg_type, sizeof address.salg_type, "%s", type);
    snprintf((char *)address.salg_name, sizeof address.salg_name, "%s", kernel);
    if (bind(bound, (struct sockaddr *)&address, sizeof address) < 0)
        return closed(bound);
    return bound;
}

static int set_up(int socket, const struct algorithm *algorithm, const unsigned char *key) {
    if (algorithm->key > 0 && setsockopt(socket, SOL_ALG, ALG_SET_KEY, key, (socklen_t)algorithm->key) < 0)
        return 0;
    return algorithm->tag == 0
           || setsockopt(socket, SOL_ALG, ALG_SET_AEAD_AUTHSIZE, NULL, (socklen_t)algorithm->tag) == 0;
}

int afalg_open(const struct algorithm *algorithm, const unsigned char *key) {
    int bound = bound_to(algorithm->type, algorithm->kernel), accepted;
    if (bound < 0)
        return -1;
    if (!set_up(bound, algorithm, key))
        return closed(bound);
    accepted = accept4(bound, NULL, NULL, SOCK_CLOEXEC);
    /* The accepted socket keeps what it needs of the bound one. */
    closed(bound);
    return accepted;
}
