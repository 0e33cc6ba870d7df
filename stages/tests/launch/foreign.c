/* Foreign code for tests/launch.rs: `foreign MODE [ARG]` does one thing that a candidate should not
 * do, or shows what it can see. Exit 0: it could; 1: it was refused, and stderr says why. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int refused(const char *what)
{
    perror(what);
    return 1;
}

static int touch(const char *path, int flags)
{
    int fd = open(path, flags, 0644);
    if (fd < 0)
        return refused(path);
    if ((flags & O_ACCMODE) != O_RDONLY && write(fd, "written", 7) != 7)
        return refused("write");
    return 0;
}

static void list(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    if (dir == NULL)
        exit(refused(folder));
    while ((entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(dir))
            printf("%s\n", entry->d_name);
}

static void print_file(const char *path)
{
    char buffer[4096];
    size_t n;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        exit(refused(path));
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        fwrite(buffer, 1, n, stdout);
}

static int dial(int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
        return refused("connect");
    return 0;
}

static void flood(int fd, long mib)
{
    static char megabyte[1 << 20];
    memset(megabyte, 'x', sizeof megabyte);
    for (long i = 0; i < mib; i++)
        for (size_t done = 0; done < sizeof megabyte;) {
            ssize_t n = write(fd, megabyte + done, sizeof megabyte - done);
            if (n < 0)
                exit(refused("write"));
            done += (size_t)n;
        }
}

static int dig(long kib)
{
    volatile char room[1024];
    room[0] = (char)kib;
    return kib > 0 ? dig(kib - 1) + room[0] : 0;
}

static void *idle(void *unused)
{
    pause();
    return unused;
}

static void deaf(void)
{
    for (int i = 1; i < 65; i++)
        signal(i, SIG_IGN);
}

/* Children that live on; how many there were is printed. */
static int bomb(int generations)
{
    int born = 0;
    while (born < 100000) {
        pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0) {
            if (generations > 1)
                bomb(generations - 1);
            for (;;)
                pause();
        }
        born++;
    }
    return born;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    const char *arg = argc > 2 ? argv[2] : "";
#define MODE(name) else if (strcmp(mode, name) == 0)
    if (strcmp(mode, "exit") == 0)
        return atoi(arg);
    MODE("signal") return raise(atoi(arg));
    MODE("crash") *(volatile int *)0 = 1;
    MODE("read") return touch(arg, O_RDONLY);
    MODE("write") return touch(arg, O_WRONLY | O_CREAT);
    MODE("truncate") return truncate(arg, 0) ? refused("truncate") : 0;
    MODE("unlink") return unlink(arg) ? refused("unlink") : 0;
    MODE("chmod") return chmod(arg, 0777) ? refused("chmod") : 0;
    MODE("list") list(arg);
    MODE("print") print_file(arg);
    MODE("connect") return dial(atoi(arg));
    MODE("env") for (char **v = environ; *v != NULL; v++) puts(*v);
    MODE("cwd") return puts(getcwd(NULL, 0)) < 0;
    MODE("stdin") return getchar() == EOF ? 0 : 1;
    MODE("stdout") flood(1, atol(arg));
    MODE("report") flood(3, atol(arg));
    MODE("bytes") return fwrite("a\xff\xfe" "b", 1, 4, stdout) != 4;
    MODE("fd4") return dup2(4, 0) < 0 ? refused("fd 4") : puts(fgets((char[64]){0}, 64, stdin)) < 0;
    MODE("memory") return malloc((size_t)atol(arg) << 20) ? 0 : refused("malloc");
    MODE("spin") for (volatile long i = 0;; i++);
    MODE("file") {
        int fd = open(arg, O_WRONLY | O_CREAT, 0644);
        flood(fd, 64);
    }
    MODE("open") {
        int n = 0;
        while (open("/dev/null", O_RDONLY) >= 0) n++;
        printf("%d\n", n);
    }
    MODE("stack") return dig(atol(arg)) * 0;
    MODE("bomb") printf("%d\n", bomb(atoi(arg)));
    MODE("threads") {
        pthread_t thread;
        int n = 0;
        while (n < 1000 && pthread_create(&thread, NULL, idle, NULL) == 0) n++;
        printf("%d\n", n);
        fflush(stdout);
        _exit(0);
    }
    MODE("daemon") {
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                deaf();
                for (;;) pause();
            }
            _exit(0);
        }
        while (wait(NULL) > 0);
    }
    MODE("orphans") {
        for (int i = 0; i < 100; i++)
            if (fork() == 0) {
                if (fork() == 0) usleep(1000);
                _exit(0);
            } else
                wait(NULL);
        usleep(100000);
    }
    MODE("sleep") {
        puts("asleep");
        fflush(stdout);
        deaf();
        for (;;) pause();
    }
    MODE("brood") {
        deaf();
        for (int i = 0; i < 8; i++)
            if (fork() == 0 && i % 2) setsid();
        for (;;) pause();
    }
    MODE("unshare") return unshare(CLONE_NEWUSER) ? refused("unshare") : 0;
    MODE("ptrace") return ptrace(PTRACE_ATTACH, 1, 0, 0) ? refused("ptrace") : 0;
    MODE("kill") return (kill(1, SIGKILL), kill(-1, SIGKILL), kill(0, 0));
    MODE("starve") {
        struct rlimit none = {0, 0};
        int all[] = {RLIMIT_CPU, RLIMIT_AS, RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_STACK, RLIMIT_NPROC};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) prlimit(1, all[i], &none, NULL);
        usleep(20000);
    }
    MODE("exec") {
        execl(arg, arg, (char *)0);
        return refused("exec");
    }
    else return 99;
    return 0;
}
