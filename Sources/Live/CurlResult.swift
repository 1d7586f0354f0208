import CLibcurl
import Faults
import Sockets

/// Classifies a libcurl error as a failure of the link or as a failure of libcurl on this machine.
enum CurlResult: Hashable {
    case link(LinkFailure)
    /// A failure of libcurl itself; the value is libcurl's description.
    case own(String)

    /// Classifies `code`, which must not be `CURLE_OK`; `systemError` is the last failed socket call's `errno`, or 0.
    init(_ code: CURLcode, systemError: Int32) {
        switch code {
        case CURLE_COULDNT_CONNECT:
            self = .link(LinkFailure(errorNumber: systemError) ?? .refused)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            self = .link(.nameNotFound)
        case CURLE_OPERATION_TIMEDOUT:
            self = .link(.timedOut)
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            self = .link(systemError == 0 ? .reset : LinkFailure(errorNumber: systemError) ?? .reset)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_SHUTDOWN_FAILED, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            self = .link(.tls)
        case CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION,
            CURLE_NOT_BUILT_IN, CURLE_INTERFACE_FAILED, CURLE_URL_MALFORMAT:
            self = .own(String(cString: curl_easy_strerror(code)))
        default:
            // A response that is empty, truncated or not HTTP is reported as a stream that ended without a response.
            self = .link(.endOfStream)
        }
    }
}
