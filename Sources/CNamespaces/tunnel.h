// Configures a TUN device and its addresses: Swift cannot import the kernel's structures for that, which contain
// unions.
#pragma once
#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

// Turns an open /dev/net/tun into a device of this name, in the network namespace in which it was opened. It carries IP
// packets without a header in front and is removed when the descriptor is closed.
static inline int squall_tun_attach(int device, const char *name) {
    struct ifreq request = {0};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    if (ioctl(device, TUNSETIFF, &request) != 0) return -1;
    return fcntl(device, F_SETFL, fcntl(device, F_GETFL, 0) | O_NONBLOCK);
}

// Gives a device, or one of its aliases (`name:1`), an IPv4 address in host byte order. The socket selects the
// namespace.
static inline int squall_address4(int socket, const char *name, uint32_t address, int prefix) {
    struct ifreq request = {0};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    struct sockaddr_in wanted = {0};
    wanted.sin_family = AF_INET;
    wanted.sin_addr.s_addr = htonl(address);
    memcpy(&request.ifr_addr, &wanted, sizeof wanted);
    if (ioctl(socket, SIOCSIFADDR, &request) != 0) return -1;
    wanted.sin_addr.s_addr = htonl(prefix == 0 ? 0 : ~0u << (32 - prefix));
    memcpy(&request.ifr_netmask, &wanted, sizeof wanted);
    return ioctl(socket, SIOCSIFNETMASK, &request);
}

// `struct in6_ifreq` of linux/ipv6.h, which conflicts with netinet/in.h.
struct squall_in6_request {
    struct in6_addr address;
    uint32_t prefix;
    int index;
};

// Gives a device an IPv6 address. The socket must be of AF_INET6.
static inline int squall_address6(int socket, const char *name, const uint8_t *address, int prefix) {
    struct ifreq request = {0};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(socket, SIOCGIFINDEX, &request) != 0) return -1;
    struct squall_in6_request wanted = {0};
    memcpy(&wanted.address, address, 16);
    wanted.prefix = (uint32_t)prefix;
    wanted.index = request.ifr_ifindex;
    return ioctl(socket, SIOCSIFADDR, &wanted);
}

// Sets the largest size of a packet in bytes.
static inline int squall_device_mtu(int socket, const char *name, int mtu) {
    struct ifreq request = {0};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    request.ifr_mtu = mtu;
    return ioctl(socket, SIOCSIFMTU, &request);
}

// Sets how many packets may queue until the device is read. The ioctl for this requires root on the machine; a netlink
// message also works for the owner of the namespace, and its answer is available at once.
static inline int squall_device_queue(int socket, int netlink, const char *name, uint32_t length) {
    struct ifreq found = {0};
    strncpy(found.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(socket, SIOCGIFINDEX, &found) != 0) return -1;
    struct {
        struct nlmsghdr head;
        struct ifinfomsg device;
        struct rtattr attribute;
        uint32_t length;
    } request = {0};
    request.head.nlmsg_len = sizeof request;
    request.head.nlmsg_type = RTM_NEWLINK;
    request.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
    request.device.ifi_family = AF_UNSPEC;
    request.device.ifi_index = found.ifr_ifindex;
    request.attribute.rta_type = IFLA_TXQLEN;
    request.attribute.rta_len = RTA_LENGTH(sizeof request.length);
    request.length = length;
    if (send(netlink, &request, sizeof request, 0) < 0) return -1;
    struct {
        struct nlmsghdr head;
        struct nlmsgerr error;
        char more[256];
    } answer;
    if (recv(netlink, &answer, sizeof answer, 0) < (ssize_t)(sizeof answer.head + sizeof answer.error)) return -1;
    errno = -answer.error.error;
    return errno ? -1 : 0;
}

// Enables the device, without multicast: otherwise the kernel sends group membership packets over it, which would be
// counted.
static inline int squall_device_up(int socket, const char *name) {
    struct ifreq request = {0};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(socket, SIOCGIFFLAGS, &request) != 0) return -1;
    request.ifr_flags = (short)((request.ifr_flags | IFF_UP) & ~IFF_MULTICAST);
    return ioctl(socket, SIOCSIFFLAGS, &request);
}
#endif
