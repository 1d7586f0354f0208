#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// What this process has of the system.
package enum ProcessFacts {
    /// Raises the limit of descriptors as far as may be: each connection takes two or three.
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

    package static var descriptorLimit: Int { Int(clamping: readLimit().rlim_cur) }

    /// 0 where the system does not tell.
    package static var openDescriptors: Int {
        guard let folder = opendir("/dev/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Itself, its parent and the folder's own descriptor.
        return max(0, count - 3)
    }

    /// In bytes; nil where the system does not tell: on systems without `/proc`.
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
