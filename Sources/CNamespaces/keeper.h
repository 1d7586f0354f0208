// The keeper: a process in its own namespaces that opens descriptors there for its parent, and runs one command there.
//
// It is cloned from a process that may have many threads, and does not call exec. Therefore it calls no function that
// may take a lock or allocate memory: the parent prepares everything that it needs, and makes all decisions.
#pragma once
#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum squall_request {
    // Opens a socket of family `first` and type `second` in the keeper's network namespace.
    squall_make_socket = 1,
    // Opens /dev/net/tun in the keeper's network namespace.
    squall_open_tun,
    // Moves the keeper into a new network namespace. The previous one lives as long as descriptors opened in it.
    squall_leave_network,
    // Mounts a new /proc and, if `first` is not 0, the command's `hosts` as /etc/hosts.
    squall_mount,
    // Runs the command.
    squall_run,
    // Sends the command the signal `first`, unless the keeper has received it, too: then the whole process group did.
    squall_signal,
};

// The parent sends requests; the keeper sends one answer to each except squall_signal, and finally the end of the
// command.
struct squall_message {
    // A request's type; in an answer 0 or the error number; -1 for the end of the command.
    int32_t what;
    // A request's first argument; for the end, the status from waitpid.
    int32_t first;
    int32_t second;
};

struct squall_command {
    // Null if there is no command.
    const char *path;
    char *const *arguments;
    char *const *environment;
    const char *hosts;
    size_t hosts_length;
};

static inline int squall_send(int control, struct squall_message message, int descriptor) {
    struct iovec part = {&message, sizeof message};
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr head; } extra;
    struct msghdr whole = {0};
    whole.msg_iov = &part;
    whole.msg_iovlen = 1;
    if (descriptor >= 0) {
        memset(&extra, 0, sizeof extra);
        whole.msg_control = extra.bytes;
        whole.msg_controllen = sizeof extra.bytes;
        struct cmsghdr *head = CMSG_FIRSTHDR(&whole);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(head), &descriptor, sizeof(int));
    }
    ssize_t count;
    do count = sendmsg(control, &whole, MSG_NOSIGNAL); while (count < 0 && errno == EINTR);
    return count == (ssize_t)sizeof message ? 0 : -1;
}

// Returns 1 with a message, 0 at the end of the stream, -1 on an error. The descriptor is -1 if the message has none.
static inline int squall_receive(int control, struct squall_message *message, int *descriptor) {
    struct iovec part = {message, sizeof *message};
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr head; } extra;
    struct msghdr whole = {0};
    whole.msg_iov = &part;
    whole.msg_iovlen = 1;
    whole.msg_control = extra.bytes;
    whole.msg_controllen = sizeof extra.bytes;
    *descriptor = -1;
    ssize_t count;
    // ECONNRESET is reported once if the peer closed with unread data; messages that it had sent can still be read.
    do count = recvmsg(control, &whole, MSG_CMSG_CLOEXEC); while (count < 0 && (errno == EINTR || errno == ECONNRESET));
    if (count <= 0) return (int)count;
    struct cmsghdr *head = CMSG_FIRSTHDR(&whole);
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
        memcpy(descriptor, CMSG_DATA(head), sizeof(int));
    return count == (ssize_t)sizeof *message ? 1 : -1;
}

static inline int squall_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends); }

// Mounts the text as /etc/hosts. It lies in a tmpfs that is visible only there. /proc serves as the mount point for a
// moment, because it certainly exists.
static inline int squall_mount_hosts(const struct squall_command *command) {
    if (mount("squall", "/proc", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") != 0) return errno;
    int error = 0;
    int file = open("/proc/hosts", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0 || write(file, command->hosts, command->hosts_length) != (ssize_t)command->hosts_length) error = errno;
    if (file >= 0) {
        fchmod(file, 0644);
        close(file);
    }
    if (!error && mount("/proc/hosts", "/etc/hosts", (void *)0, MS_BIND, (void *)0) != 0) error = errno;
    umount2("/proc", MNT_DETACH);
    return error;
}

static inline int squall_mount_views(const struct squall_command *command, int with_hosts) {
    // Mounts made here stay private; later mounts of the machine appear here too.
    if (mount("", "/", (void *)0, MS_REC | MS_SLAVE, (void *)0) != 0) return errno;
    int error = with_hosts ? squall_mount_hosts(command) : 0;
    // The new PID namespace needs a new /proc. If the existing one is partly covered, as in containers, the kernel
    // refuses; the command then sees the machine's processes.
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, (void *)0);
    return error;
}

// Becomes the command, with a shell's signal dispositions; signals that were ignored at the start, as under nohup, stay
// ignored.
static inline void squall_become(const struct squall_command *command, int failure) {
    sigset_t none;
    sigemptyset(&none);
    const int ignored[] = {SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
    for (unsigned place = 0; place < sizeof ignored / sizeof *ignored; place++) signal(ignored[place], SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, (void *)0);
    execve(command->path, command->arguments, command->environment);
    int error = errno;
    (void)!write(failure, &error, sizeof error);
    _exit(127);
}

// Starts the command. Returns 0 once it runs, or the error number.
static inline int squall_start(const struct squall_command *command, pid_t *child) {
    int failure[2];
    if (!command->path) return EINVAL;
    if (syscall(SYS_pipe2, failure, O_CLOEXEC) != 0) return errno;
    *child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    int error = *child < 0 ? errno : 0;
    if (*child == 0) squall_become(command, failure[1]);
    close(failure[1]);
    if (!error) {
        int reason = 0;
        ssize_t count;
        do count = read(failure[0], &reason, sizeof reason); while (count < 0 && errno == EINTR);
        if (count == (ssize_t)sizeof reason) error = reason;
    }
    close(failure[0]);
    return error;
}

static inline int64_t squall_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Closes a descriptor that exec would close, except `control`. Descriptors that the parent inherited have no
// FD_CLOEXEC: they are passed to the command.
static inline void squall_close_own(int control, int descriptor) {
    int flags = fcntl(descriptor, F_GETFD);
    if (descriptor != control && flags >= 0 && (flags & FD_CLOEXEC)) close(descriptor);
}

// Closes the copies of the parent's own descriptors, its end of the control socket included.
static inline void squall_close_all_own(int control) {
    int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        for (int descriptor = 0; descriptor < 65536; descriptor++) squall_close_own(control, descriptor);
        return;
    }
    // The entry of getdents64(2): readdir would allocate memory.
    struct entry { uint64_t node; int64_t next; uint16_t length; uint8_t type; char name[]; };
    _Alignas(8) char entries[4096];
    long count;
    while ((count = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long place = 0; place < count;) {
            const struct entry *entry = (const struct entry *)(entries + place);
            int descriptor = 0;
            const char *digit = entry->name;
            for (; *digit >= '0' && *digit <= '9'; digit++) descriptor = descriptor * 10 + (*digit - '0');
            if (digit != entry->name && descriptor != folder) squall_close_own(control, descriptor);
            place += entry->length;
        }
    close(folder);
}

// Runs the keeper; never returns. When it ends, the kernel kills the other processes of its PID namespace, of which it
// is the first.
static inline void squall_keep(int control, const struct squall_command *command) {
    // Without its parent the keeper must not go on.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "squall-keeper");
    squall_close_all_own(control);
    const int ignored[] = {SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
    for (unsigned place = 0; place < sizeof ignored / sizeof *ignored; place++) signal(ignored[place], SIG_IGN);
    // If SIGCHLD were still ignored, the kernel would reap the command and its status would be lost.
    signal(SIGCHLD, SIG_DFL);
    sigset_t wanted;
    sigemptyset(&wanted);
    const int heard[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (unsigned place = 0; place < sizeof heard / sizeof *heard; place++) sigaddset(&wanted, heard[place]);
    sigprocmask(SIG_SETMASK, &wanted, (void *)0);
    int signals = signalfd(-1, &wanted, SFD_CLOEXEC);
    if (signals < 0) _exit(70);

    pid_t child = 0;
    // Signals that the whole process group received, and that the parent has not yet asked to pass on. A busy machine
    // can run the parent seconds after the keeper.
    struct { int count; int64_t last; } of_group[65] = {{0, 0}};
    struct pollfd sources[2] = {{control, POLLIN, 0}, {signals, POLLIN, 0}};
    for (;;) {
        // Signals first: a signal to the whole group arrives before the parent's request to pass it on.
        sources[0].revents = sources[1].revents = 0;
        if (poll(sources, 2, -1) < 0 && errno != EINTR) _exit(70);
        if (sources[1].revents & POLLIN) {
            struct signalfd_siginfo heard_now;
            if (read(signals, &heard_now, sizeof heard_now) != (ssize_t)sizeof heard_now) continue;
            if (heard_now.ssi_signo < 65) {
                of_group[heard_now.ssi_signo].count++;
                of_group[heard_now.ssi_signo].last = squall_milliseconds();
            }
            int status = 0;
            pid_t ended;
            while (heard_now.ssi_signo == SIGCHLD && (ended = waitpid(-1, &status, WNOHANG)) > 0) {
                if (ended != child) continue;
                struct squall_message end = {-1, status, 0};
                squall_send(control, end, -1);
                _exit(0);
            }
            continue;
        }
        if (!sources[0].revents) continue;
        struct squall_message request, answer = {0, 0, 0};
        int descriptor = -1;
        if (squall_receive(control, &request, &descriptor) != 1) _exit(0);
        switch (request.what) {
        case squall_make_socket:
            descriptor = socket(request.first, request.second | SOCK_CLOEXEC, 0);
            if (descriptor < 0) answer.what = errno;
            break;
        case squall_open_tun:
            descriptor = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
            if (descriptor < 0) answer.what = errno;
            break;
        case squall_leave_network:
            if (syscall(SYS_unshare, CLONE_NEWNET) != 0) answer.what = errno;
            break;
        case squall_mount:
            answer.what = squall_mount_views(command, request.first);
            break;
        case squall_run:
            answer.what = squall_start(command, &child);
            break;
        case squall_signal:
            // This request has no answer.
            if (request.first <= 0 || request.first >= 65 || child <= 0) continue;
            if (squall_milliseconds() - of_group[request.first].last > 10000) of_group[request.first].count = 0;
            if (of_group[request.first].count > 0)
                of_group[request.first].count--;
            else
                kill(child, request.first);
            continue;
        default:
            answer.what = ENOSYS;
        }
        if (squall_send(control, answer, descriptor) != 0) _exit(0);
        if (descriptor >= 0) close(descriptor);
    }
}

// Returns a descriptor that becomes readable when the process ends, and is closed on exec.
static inline int squall_watch_process(pid_t id) { return (int)syscall(SYS_pidfd_open, id, 0); }

static const int squall_new_user = CLONE_NEWUSER;

// Starts a keeper in new network, PID and mount namespaces, and in those of `flags`. Returns its process id, or -1 and
// errno.
//
// The keeper ends with the thread that calls this. `command` must be valid only until this returns.
static inline pid_t squall_start_keeper(int control, int flags, const struct squall_command *command) {
    long id = syscall(SYS_clone, SIGCHLD | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWNS | flags, 0, 0, 0, 0);
    if (id == 0) squall_keep(control, command);
    return (pid_t)id;
}
#endif
