/* Works in one of several ways until it is ended: work MODE. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int outer_handshake(uint64_t rounds);

static int sum;

/* Until somebody has written a line. */
static void await(void)
{
    char byte;
    while (read(0, &byte, 1) == 1 && byte != '\n')
        ;
}

static void repeat(int times)
{
    for (int time = 0; time != times; time++)
        sum += outer_handshake(time);
}

__attribute__((noinline)) void work_alone(void) { repeat(-1); sum++; }

__attribute__((noinline)) static void *in_thread(void *nothing) { repeat(-1); sum++; return nothing; }

__attribute__((noinline)) void work_in_threads(void)
{
    pthread_t threads[3];
    await();
    for (int number = 0; number < 3; number++)
        pthread_create(&threads[number], NULL, in_thread, NULL);
    for (int number = 0; number < 3; number++)
        pthread_join(threads[number], NULL);
}

__attribute__((noinline)) void work_in_child(int times) { repeat(times); sum++; }

/* A thousand children, one after the other, and then the end. */
static int fork_often(void)
{
    await();
    for (int number = 0; number < 1000; number++) {
        pid_t child = fork();
        if (child == 0) {
            work_in_child(20);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    return 0;
}

/* A loop that no file has: mov $1<<20, %ecx; dec %ecx; jnz; ret. */
static void generate(void)
{
    static const unsigned char code[] = { 0xb9, 0, 0, 0x10, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
    char name[64];
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, code, sizeof code);
    snprintf(name, sizeof name, "/tmp/perf-%d.map", (int)getpid());
    FILE *map = fopen(name, "w");
    fprintf(map, "%lx %zx generated_loop\n", (unsigned long)page, sizeof code);
    fclose(map);
    /* A page of addresses beside it that the map does not name would be as long. */
    for (;;)
        ((void (*)(void))page)();
}

int main(int count, char **arguments)
{
    const char *mode = count > 1 ? arguments[1] : "alone";
    if (strcmp(mode, "threads") == 0)
        work_in_threads();
    else if (strcmp(mode, "forks") == 0)
        return fork_often();
    else if (strcmp(mode, "generate") == 0)
        generate();
    else if (strcmp(mode, "exec") == 0) {
        await();
        return execl(arguments[2], arguments[2], "alone", (char *)NULL);
    } else if (strcmp(mode, "short") == 0) {
        await();
        work_in_child(300);
    } else
        work_alone();
    return sum & 1;
}
