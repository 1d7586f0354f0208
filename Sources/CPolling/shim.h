// What Swift's module of the C library leaves out: waiting for many descriptors with nanosecond deadlines.
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

// Edge-triggered, both ways, once for the life of a descriptor.
static inline int squall_watch(int poller, int descriptor, uint64_t token) {
    struct epoll_event event = {0};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.u64 = token;
    return epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
}

static const uint32_t squall_readable = EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR;
static const uint32_t squall_writable = EPOLLOUT | EPOLLHUP | EPOLLERR;
static const uint32_t squall_hung_up = EPOLLRDHUP | EPOLLHUP | EPOLLERR;

// The kernel may wake a thread this much later than asked for, in nanoseconds; it is 50,000 unless said.
static inline void squall_be_punctual(void) { prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

// Pieces below `piece` bytes are the heap's own, and up to `kept` bytes of what is free at its end stay there. 0 where the
// allocator has no such word.
static inline int squall_keep_memory(int piece, int kept) {
#if defined(__GLIBC__)
    return mallopt(M_MMAP_THRESHOLD, piece) && mallopt(M_TRIM_THRESHOLD, kept);
#else
    return 0;
#endif
}

// Accepted without blocking ways and inherited by no child, and who calls, in one call.
static inline int squall_accept(int listener, struct sockaddr *caller, socklen_t *length) {
    return (int)syscall(SYS_accept4, listener, caller, length, 02000000 /* SOCK_CLOEXEC */ | 04000 /* SOCK_NONBLOCK */);
}

// At most 256 of what is ready; waits no longer than so many nanoseconds, forever below 0.
static inline int squall_wait(int poller, struct squall_ready *ready, int64_t nanoseconds) {
    struct epoll_event events[256];
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    int count;
#if defined(SYS_epoll_pwait2)
    count = (int)syscall(SYS_epoll_pwait2, poller, events, 256, nanoseconds < 0 ? (void *)0 : &limit, (void *)0, 0);
    // Where a container's filter knows no such call, it refuses it.
    if (count < 0 && (errno == ENOSYS || errno == EPERM))
#endif
        // Kernels before 5.11: whole milliseconds.
        count = epoll_wait(poller, events, 256, nanoseconds < 0 ? -1 : (int)((nanoseconds + 999999) / 1000000));
    for (int place = 0; place < count; place++) {
        ready[place].token = events[place].data.u64;
        ready[place].events = events[place].events;
    }
    return count;
}
#endif
