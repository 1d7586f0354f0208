// Makes libpcap convenient for Swift: one call opens a capture, and timestamps are in nanoseconds on every system.

#ifndef SQUALL_CLIBPCAP_SHIM_H
#define SQUALL_CLIBPCAP_SHIM_H

#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>

// Starts a non-blocking capture of the packets on a device that match `filter`. On failure, returns null and stores a
// libpcap error code in `status` and the error message in `reason`, which must have PCAP_ERRBUF_SIZE bytes.
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
    // Positive values are warnings.
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

// Gets the next packet and its capture time since 1970; its bytes are valid until the next call. Returns 1 for a
// packet, 0 if none has arrived yet, and a negative value on an error or at the end.
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

// Returns the number of packets that were dropped because the buffer was full.
static inline uint32_t squall_dropped_packets(pcap_t *capture) {
    struct pcap_stat counts = {0};
    return pcap_stats(capture, &counts) == 0 ? counts.ps_drop : 0;
}

#endif
