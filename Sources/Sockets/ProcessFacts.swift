#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The resources and limits of this process.
package enum ProcessFacts {
    /// Raises the limit on open file descriptors to its maximum, because each connection takes two or three.
    package static func raiseDescriptorLimit() {
        var limit = readLimit()
        #if canImport(Darwin)
            limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(OPEN_MAX)))
            setrlimit(RLIMIT_NOFILE, &limit)
        #else
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
    }

    private static func readLimit() -> rlimit {
        var limit = rlimit()
        #if canImport(Darwin)
            getrlimit(RLIMIT_NOFILE, &limit)
        #else
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
        return limit
    }

    /// The maximum number of file descriptors that this process may have open.
    package static var descriptorLimit: Int { Int(clamping: readLimit().rlim_cur) }

    /// The number of file descriptors that this process has open; 0 on systems that do not report the number.
    package static var openDescriptors: Int {
        guard let folder = opendir("/dev/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // The entries `.` and `..` and the descriptor of the listing itself are not counted.
        return max(0, count - 3)
    }

    /// The resident memory of this process in bytes; nil on systems without `/proc`.
    package static var residentMemory: Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = fread(&buffer, 1, buffer.count, file)
        let fields = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
