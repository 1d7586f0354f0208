import CPolling

/// Settings for the process's memory allocator.
enum Heap {
    /// Whether the allocator keeps freed buffers of up to 1 MiB instead of returning them to the kernel. The first
    /// access configures the allocator; the value is false if that fails.
    ///
    /// A relay that delays bytes allocates and frees half a megabyte for each read. glibc would map each buffer with
    /// `mmap`, and the kernel would clear every page of it, which costs more than the read. With this setting, buffers
    /// below 1 MiB come from the heap, which retains up to 32 MiB of free memory.
    static let retainsLargeBuffers: Bool = {
        #if os(Linux)
            return squall_keep_memory(1 << 20, 32 << 20) != 0
        #else
            return false
        #endif
    }()
}
