// Calls that Swift's module of the C library lacks: epoll with nanosecond timeouts, accept4, and allocator settings.
#pragma once
#include <stdint.h>

struct squall_ready {
    uint64_t token;
    uint32_t events;
};

#if defined(__linux__)
#include <errno.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline int squall_poller(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int squall_waker(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// Adds a descriptor for its lifetime: edge-triggered, for reading and writing.
static inline int squall_watch(int poller, int descriptor, uint64_t token) {
    struct epoll_event event = {0};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.u64 = token;
    return epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
}

static const uint32_t squall_readable = EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR;
static const uint32_t squall_writable = EPOLLOUT | EPOLLHUP | EPOLLERR;
static const uint32_t squall_hung_up = EPOLLRDHUP | EPOLLHUP | EPOLLERR;

// Sets the thread's timer slack to 1 ns. The default is 50,000 ns: the kernel may delay its wake-ups by that.
static inline void squall_be_punctual(void) { prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

// Makes the allocator serve blocks below `piece` bytes from the heap instead of by mmap, and keep up to `kept` free
// bytes at the heap's end. Returns 0 if the allocator does not support it.
static inline int squall_keep_memory(int piece, int kept) {
#if defined(__GLIBC__)
    return mallopt(M_MMAP_THRESHOLD, piece) && mallopt(M_TRIM_THRESHOLD, kept);
#else
    return 0;
#endif
}

// Accepts a connection, with its peer's address, as a descriptor that is non-blocking and closed on exec.
static inline int squall_accept(int listener, struct sockaddr *caller, socklen_t *length) {
    return (int)syscall(SYS_accept4, listener, caller, length, 02000000 /* SOCK_CLOEXEC */ | 04000 /* SOCK_NONBLOCK */);
}

// Waits for at most `nanoseconds`, without limit if negative. Returns the number of ready descriptors, at most 256.
static inline int squall_wait(int poller, struct squall_ready *ready, int64_t nanoseconds) {
    struct epoll_event events[256];
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    int count;
#if defined(SYS_epoll_pwait2)
    count = (int)syscall(SYS_epoll_pwait2, poller, events, 256, nanoseconds < 0 ? (void *)0 : &limit, (void *)0, 0);
    // Seccomp filters of containers that do not know the call refuse it.
    if (count < 0 && (errno == ENOSYS || errno == EPERM))
#endif
        // Kernels before 5.11 only have epoll_wait, with a timeout in milliseconds.
        count = epoll_wait(poller, events, 256, nanoseconds < 0 ? -1 : (int)((nanoseconds + 999999) / 1000000));
    for (int place = 0; place < count; place++) {
        ready[place].token = events[place].data.u64;
        ready[place].events = events[place].events;
    }
    return count;
}
#endif
