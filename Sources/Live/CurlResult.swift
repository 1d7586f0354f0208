import CLibcurl
import Faults
import Sockets

/// What a result of libcurl other than "all well" says: something about the link, or something about this machine.
enum CurlResult: Hashable {
    case link(LinkFailure)
    case own(String)

    /// `systemError` is the error number of the last failed socket call, 0 where there was none.
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
            // An empty reply, one cut short, and one that is no HTTP: the stream ended without an answer.
            self = .link(.endOfStream)
        }
    }
}
