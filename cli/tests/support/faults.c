/* A disk that fails, loaded before the C library (LD_PRELOAD): calls that change files under a folder are counted; one of
 * them, or each from one on, fails or ends the process. It can also keep what a power cut would leave: of each file what it
 * had when it was last synced, of each folder the names it had then.
 *
 * FAULTS_UNDER    the folder; nothing else is touched
 * FAULTS_KINDS    which calls count: write sync rename make remove read, any of them
 * FAULTS_NAME     only those whose path has this in it
 * FAULTS_AT       the number of the call; 0 for none
 * FAULTS_DO       eio, enospc; kill, torn: the process ends before the call, or in the middle of what it writes
 * FAULTS_ON       once, or on: from there on
 * FAULTS_COUNT    a file of 8 bytes that has the count
 * FAULTS_TRACE    a file that gets a line for each call that counts
 * FAULTS_DURABLE  a folder for what is durable: iN is the content of the file with the inode N; dN are the names in a folder,
 *                 each with its inode and d, f or o: a folder, a file or something else
 * FAULTS_PLANT    what this disk does wrong: nosync, nodirsync, unlogged, swapped, retried
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum action { NONE, FAIL_EIO, FAIL_ENOSPC, KILL, TORN };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *under, *kinds, *name_part, *durable, *plant = "";
static uint64_t at, own_count, *count = &own_count;
static enum action action;
static int is_on, trace = -1;

__attribute__((constructor)) static void start(void) {
    under = getenv("FAULTS_UNDER");
    kinds = getenv("FAULTS_KINDS");
    name_part = getenv("FAULTS_NAME");
    durable = getenv("FAULTS_DURABLE");
    if (getenv("FAULTS_PLANT")) plant = getenv("FAULTS_PLANT");
    if (getenv("FAULTS_AT")) at = strtoull(getenv("FAULTS_AT"), NULL, 10);
    const char *what = getenv("FAULTS_DO") ? getenv("FAULTS_DO") : "";
    action = !strcmp(what, "eio") ? FAIL_EIO : !strcmp(what, "enospc") ? FAIL_ENOSPC : !strcmp(what, "kill") ? KILL
           : !strcmp(what, "torn") ? TORN : NONE;
    is_on = getenv("FAULTS_ON") && !strcmp(getenv("FAULTS_ON"), "on");
    if (getenv("FAULTS_TRACE"))
        trace = syscall(SYS_openat, AT_FDCWD, getenv("FAULTS_TRACE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (getenv("FAULTS_COUNT")) {
        int fd = syscall(SYS_openat, AT_FDCWD, getenv("FAULTS_COUNT"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd >= 0 && !syscall(SYS_ftruncate, fd, 8)) {
            void *page = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            if (page != MAP_FAILED) count = page;
            syscall(SYS_close, fd);
        }
    }
}

static int is_plant(const char *name) { return !strcmp(plant, name); }

static int is_under(const char *path) {
    size_t n = under ? strlen(under) : 0;
    return n && !strncmp(path, under, n) && (!path[n] || path[n] == '/');
}

/* The path of what is open; nothing where it is no file. */
static int path_of(int fd, char path[PATH_MAX]) {
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    if (n < 0) return 0;
    path[n] = 0;
    return 1;
}

static void absolute(const char *name, char path[PATH_MAX]) {
    char fd_path[PATH_MAX];
    int fd, n;
    if (sscanf(name, "/proc/self/fd/%d/%n", &fd, &n) == 1 && path_of(fd, fd_path)) {
        snprintf(path, PATH_MAX, "%s/%s", fd_path, name + n);
    } else if (name[0] == '/') {
        snprintf(path, PATH_MAX, "%s", name);
    } else {
        char folder[PATH_MAX];
        if (!getcwd(folder, sizeof folder)) folder[0] = 0;
        snprintf(path, PATH_MAX, "%s/%s", folder, name);
    }
}

/* Counts a call and says what is to become of it. The lock is held. */
static enum action count_call(const char *kind, const char *path) {
    if (!is_under(path) || !kinds || !strstr(kinds, kind)) return NONE;
    if (name_part && !strstr(path, name_part)) return NONE;
    uint64_t n = ++*count;
    if (trace >= 0) {
        char line[PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%lu %s %s\n", (unsigned long)n, kind, path + strlen(under));
        syscall(SYS_write, trace, line, length);
    }
    if (!at || (is_on ? n < at : n != at)) return NONE;
    if (action == KILL || (action == TORN && strcmp(kind, "write"))) kill(getpid(), SIGKILL);
    return action;
}

static int failed(enum action what) {
    errno = what == FAIL_ENOSPC ? ENOSPC : EIO;
    return -1;
}

/* What is durable. */

static void durable_path(char path[PATH_MAX], char kind, ino_t inode) {
    snprintf(path, PATH_MAX, "%s/%c%lu", durable, kind, (unsigned long)inode);
}

static void forget(char kind, ino_t inode) {
    char path[PATH_MAX];
    durable_path(path, kind, inode);
    syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static void keep(char kind, ino_t inode, const char *bytes, size_t length) {
    char path[PATH_MAX], made[PATH_MAX + 8];
    durable_path(path, kind, inode);
    snprintf(made, sizeof made, "%s.new", path);
    int fd = syscall(SYS_openat, AT_FDCWD, made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    while (fd >= 0 && length) {
        ssize_t n = syscall(SYS_write, fd, bytes, length);
        if (n <= 0) break;
        bytes += n;
        length -= n;
    }
    if (fd >= 0) syscall(SYS_close, fd);
    syscall(SYS_renameat, AT_FDCWD, made, AT_FDCWD, path);
}

static void keep_folder(const char *path, ino_t inode) {
    char *names = NULL;
    size_t length = 0;
    FILE *list = open_memstream(&names, &length);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            fprintf(list, "%lu %c %s\n", (unsigned long)entry->d_ino,
                    entry->d_type == DT_DIR ? 'd' : entry->d_type == DT_REG ? 'f' : 'o', entry->d_name);
    if (folder) closedir(folder);
    fclose(list);
    keep('d', inode, names, length);
    free(names);
}

/* What a failed sync lost, where the disk is one that says so only once. */
static ino_t lost_in;
static size_t lost_from, lost_to;

static void keep_file(const char *path, ino_t inode, size_t length) {
    char *bytes = malloc(length + 1);
    int fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    size_t n = 0;
    for (ssize_t more; fd >= 0 && n < length && (more = syscall(SYS_pread64, fd, bytes + n, length - n, n)) > 0;) n += more;
    if (fd >= 0) syscall(SYS_close, fd);
    for (size_t byte = lost_from; inode == lost_in && byte < lost_to && byte < n; byte++) bytes[byte] = 0;
    keep('i', inode, bytes, n);
    free(bytes);
}

static size_t kept_length(ino_t inode) {
    char path[PATH_MAX];
    struct stat found;
    durable_path(path, 'i', inode);
    return stat(path, &found) ? 0 : (size_t)found.st_size;
}

static int ends_with(const char *path, const char *end) {
    size_t n = strlen(path), m = strlen(end);
    return n >= m && !strcmp(path + n - m, end);
}

static void synced(int fd, const char *path) {
    struct stat found;
    if (!durable || !is_under(path) || fstat(fd, &found)) return;
    if (S_ISDIR(found.st_mode)) {
        if (!is_plant("nodirsync")) keep_folder(path, found.st_ino);
        return;
    }
    if (is_plant("nosync")) return;
    if (is_plant("swapped") && (ends_with(path, ".new") || ends_with(path, ".dbtmp"))) return;
    if (is_plant("retried") && ends_with(path, ".log") && found.st_ino != lost_in) {
        lost_in = found.st_ino;
        lost_from = kept_length(lost_in);
        lost_to = found.st_size;
    }
    keep_file(path, found.st_ino, found.st_size);
}

/* Calls. */

static int opened(int folder, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    struct stat found;
    if (folder != AT_FDCWD || !(flags & O_CREAT)) return syscall(SYS_openat, folder, name, flags, mode);
    absolute(name, path);
    if (!is_under(path)) return syscall(SYS_openat, folder, name, flags, mode);
    pthread_mutex_lock(&lock);
    int is_new = stat(path, &found) != 0, result;
    enum action what = is_new ? count_call("make", path) : NONE;
    if (what) {
        result = failed(what);
    } else {
        result = syscall(SYS_openat, folder, name, flags, mode);
        if (result >= 0 && is_new && durable && !fstat(result, &found)) forget('i', found.st_ino);
    }
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

#define MODE(last) ({ mode_t mode = 0; if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, last); \
    mode = va_arg(more, mode_t); va_end(more); } mode; })

int open(const char *name, int flags, ...) { return opened(AT_FDCWD, name, flags, MODE(flags)); }
int open64(const char *name, int flags, ...) { return opened(AT_FDCWD, name, flags | O_LARGEFILE, MODE(flags)); }
int openat(int folder, const char *name, int flags, ...) { return opened(folder, name, flags, MODE(flags)); }
int openat64(int folder, const char *name, int flags, ...) { return opened(folder, name, flags, MODE(flags)); }

/* What a disk that acknowledges before it logs still has to write. */
static char *held;
static size_t held_length;
static int held_fd = -1;

static void let_go(void) {
    if (held_fd >= 0 && held_length) syscall(SYS_write, held_fd, held, held_length);
    free(held);
    held = NULL;
    held_length = 0;
    held_fd = -1;
}

static ssize_t written(int fd, const void *bytes, size_t length, int64_t place) {
    char path[PATH_MAX];
    if (!under || !path_of(fd, path) || !is_under(path))
        return place < 0 ? syscall(SYS_write, fd, bytes, length) : syscall(SYS_pwrite64, fd, bytes, length, place);
    pthread_mutex_lock(&lock);
    enum action what = count_call("write", path);
    ssize_t result;
    if (what == FAIL_EIO || what == FAIL_ENOSPC) {
        result = failed(what);
    } else if (is_plant("unlogged") && place < 0 && ends_with(path, ".log")) {
        let_go();
        held = malloc(length);
        memcpy(held, bytes, length);
        held_length = length;
        held_fd = fd;
        result = length;
    } else {
        if (what == TORN) length /= 2;
        result = place < 0 ? syscall(SYS_write, fd, bytes, length) : syscall(SYS_pwrite64, fd, bytes, length, place);
        if (what == TORN) kill(getpid(), SIGKILL);
    }
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

ssize_t write(int fd, const void *bytes, size_t length) { return written(fd, bytes, length, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t place) { return written(fd, bytes, length, place); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t place) { return written(fd, bytes, length, place); }

int close(int fd) {
    if (fd == held_fd && fd >= 0) {
        pthread_mutex_lock(&lock);
        if (fd == held_fd) let_go();
        pthread_mutex_unlock(&lock);
    }
    return syscall(SYS_close, fd);
}

static ssize_t was_read(int fd, void *bytes, size_t length, int64_t place) {
    char path[PATH_MAX];
    if (!kinds || !strstr(kinds, "read") || !path_of(fd, path) || !is_under(path))
        return syscall(SYS_pread64, fd, bytes, length, place);
    pthread_mutex_lock(&lock);
    enum action what = count_call("read", path);
    pthread_mutex_unlock(&lock);
    return what ? failed(what) : syscall(SYS_pread64, fd, bytes, length, place);
}

ssize_t pread(int fd, void *bytes, size_t length, off_t place) { return was_read(fd, bytes, length, place); }
ssize_t pread64(int fd, void *bytes, size_t length, off64_t place) { return was_read(fd, bytes, length, place); }

static int sync_by(long number, int fd) {
    char path[PATH_MAX];
    if (!under || !path_of(fd, path) || !is_under(path)) return syscall(number, fd);
    pthread_mutex_lock(&lock);
    enum action what = count_call("sync", path);
    /* Nothing here survives a real power cut, and need not. */
    if (!what) synced(fd, path);
    pthread_mutex_unlock(&lock);
    return what ? failed(what) : 0;
}

int fsync(int fd) { return sync_by(SYS_fsync, fd); }
int fdatasync(int fd) { return sync_by(SYS_fdatasync, fd); }

static int renamed(const char *from, const char *to) {
    char path[PATH_MAX], *slash;
    struct stat found;
    absolute(to, path);
    pthread_mutex_lock(&lock);
    enum action what = count_call("rename", path);
    int result = what ? failed(what) : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    int error = errno;
    if (!result && durable && is_plant("swapped") && is_under(path) && (slash = strrchr(path, '/'))) {
        *slash = 0;
        if (!stat(path, &found)) keep_folder(path, found.st_ino);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int rename(const char *from, const char *to) { return renamed(from, to); }

static int changed(const char *kind, const char *name, long number, long first, long second, long third) {
    char path[PATH_MAX];
    struct stat found;
    absolute(name, path);
    pthread_mutex_lock(&lock);
    enum action what = count_call(kind, path);
    int result = what ? failed(what) : (int)syscall(number, AT_FDCWD, first, second, third);
    int error = errno;
    if (!result && durable && number == SYS_mkdirat && !stat(path, &found)) forget('d', found.st_ino);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int unlink(const char *name) { return changed("remove", name, SYS_unlinkat, (long)name, 0, 0); }
int rmdir(const char *name) { return changed("remove", name, SYS_unlinkat, (long)name, AT_REMOVEDIR, 0); }
int mkdir(const char *name, mode_t mode) { return changed("make", name, SYS_mkdirat, (long)name, mode, 0); }
