// libpcap for Swift: a capture opened in one call, and packets whose times are nanoseconds on every system.

#ifndef SQUALL_CLIBPCAP_SHIM_H
#define SQUALL_CLIBPCAP_SHIM_H

#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>

// Sees what passes a device from now on and a filter lets through, without waiting for it. Null with one of libpcap's numbers in
// `status` and its words in `reason`, of PCAP_ERRBUF_SIZE bytes, where it cannot be had.
static inline pcap_t *squall_capture(
    const char *device, const char *filter, int length, int buffer, int milliseconds, int *status, char *reason
) {
    pcap_t *capture = pcap_create(device, reason);
    *status = PCAP_ERROR;
    if (capture == NULL) return NULL;
    pcap_set_snaplen(capture, length);
    pcap_set_buffer_size(capture, buffer);
    pcap_set_timeout(capture, milliseconds);
    pcap_set_tstamp_precision(capture, PCAP_TSTAMP_PRECISION_NANO);
    *status = pcap_activate(capture);
    struct bpf_program program;
    // Warnings are above zero.
    if (*status >= 0 && pcap_setnonblock(capture, 1, reason) == 0) {
        *status = pcap_compile(capture, &program, filter, 1, PCAP_NETMASK_UNKNOWN);
        if (*status == 0) {
            *status = pcap_setfilter(capture, &program);
            pcap_freecode(&program);
            if (*status == 0) return capture;
        }
    }
    snprintf(reason, PCAP_ERRBUF_SIZE, "%s", pcap_geterr(capture));
    pcap_close(capture);
    return NULL;
}

// The next packet, whose bytes are there until the next call, and when it passed, since 1970; 0 where none is there yet, below where
// there will be none any more.
static inline int squall_next_packet(
    pcap_t *capture, const uint8_t **bytes, uint32_t *count, int64_t *nanoseconds
) {
    struct pcap_pkthdr *header = NULL;
    const u_char *data = NULL;
    int result = pcap_next_ex(capture, &header, &data);
    if (result != 1) return result;
    int64_t unit = pcap_get_tstamp_precision(capture) == PCAP_TSTAMP_PRECISION_NANO ? 1 : 1000;
    *bytes = data;
    *count = header->caplen;
    *nanoseconds = (int64_t)header->ts.tv_sec * 1000000000 + (int64_t)header->ts.tv_usec * unit;
    return 1;
}

// Packets that there was no room for.
static inline uint32_t squall_dropped_packets(pcap_t *capture) {
    struct pcap_stat counts = {0};
    return pcap_stats(capture, &counts) == 0 ? counts.ps_drop : 0;
}

#endif
