/* Preloaded: writes to files below $FULL_DISK fail as on a full disk once $FULL_DISK_BYTES are written, and files
 * below $READ_ONLY cannot be opened for writing, whoever asks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long written;

static int below(const char *path, const char *variable) {
    const char *folder = getenv(variable);
    return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_full(int fd, size_t more) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    if (!below(path, "FULL_DISK"))
        return 0;
    written += (long)more;
    return written > atol(getenv("FULL_DISK_BYTES"));
}

#define NEXT(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))
#define FULL(fd, more)          \
    if (is_full(fd, more)) {    \
        errno = ENOSPC;         \
        return -1;              \
    }

ssize_t write(int fd, const void *data, size_t count) { FULL(fd, count) return NEXT(write)(fd, data, count); }
ssize_t pwrite(int fd, const void *data, size_t count, off_t at) {
    FULL(fd, count)
    return NEXT(pwrite)(fd, data, count, at);
}
ssize_t pwrite64(int fd, const void *data, size_t count, off64_t at) {
    FULL(fd, count)
    return NEXT(pwrite64)(fd, data, count, at);
}
int ftruncate64(int fd, off64_t size) { FULL(fd, 0) return NEXT(ftruncate64)(fd, size); }
int posix_fallocate64(int fd, off64_t at, off64_t size) {
    return is_full(fd, (size_t)size) ? ENOSPC : NEXT(posix_fallocate64)(fd, at, size);
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                    \
        va_end(more);                                                                              \
        if ((flags & (O_ACCMODE | O_CREAT)) != O_RDONLY && below(path, "READ_ONLY")) {             \
            errno = EROFS;                                                                         \
            return -1;                                                                             \
        }                                                                                          \
        return NEXT(name)(path, flags, mode);                                                      \
    }
OPEN(open)
OPEN(open64)
