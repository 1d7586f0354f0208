// Makes libcurl callable from Swift: one function for each type of argument of its variadic functions, and access to
// the union in `CURLMsg`, because Swift imports neither.

#ifndef SQUALL_CLIBCURL_SHIM_H
#define SQUALL_CLIBCURL_SHIM_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline CURLcode squall_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode squall_set_offset(CURL *handle, CURLoption option, int64_t value) {
    return curl_easy_setopt(handle, option, (curl_off_t)value);
}

// libcurl copies the string.
static inline CURLcode squall_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode squall_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

// Sets the trusted certificates, in PEM, instead of the system's; libcurl copies the text. Returns CURLE_NOT_BUILT_IN
// for libcurl versions before 7.77.
static inline CURLcode squall_set_authorities(CURL *handle, const char *pem) {
#if LIBCURL_VERSION_NUM >= 0x074d00
    struct curl_blob blob = {.data = (void *)pem, .len = strlen(pem), .flags = CURL_BLOB_COPY};
    return curl_easy_setopt(handle, CURLOPT_CAINFO_BLOB, &blob);
#else
    return CURLE_NOT_BUILT_IN;
#endif
}

// libcurl does not copy the list, so it must outlive the handle.
static inline CURLcode squall_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*squall_data_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode squall_set_data_callback(CURL *handle, CURLoption option, squall_data_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}

typedef curl_socket_t (*squall_open_callback)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode squall_set_open_callback(CURL *handle, squall_open_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

typedef int (*squall_close_callback)(void *context, curl_socket_t socket);

static inline CURLcode squall_set_close_callback(CURL *handle, squall_close_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, callback);
}

static inline CURLcode squall_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

// Returns the next completed transfer and stores its result in `result`; returns null if there is none.
static inline CURL *squall_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

#endif
