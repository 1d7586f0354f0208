import CPolling

/// How this process keeps memory that it will want again at once.
enum Heap {
    /// A relay that delays takes half a megabyte for each read and gives it back. The system's allocator would ask the kernel for each,
    /// page by page, and the kernel clears them: that costs more than the reading. Pieces of up to 1 MiB are the heap's, and up to
    /// 32 MiB of it stay while they are free.
    static let keepsLargePieces: Bool = {
        #if os(Linux)
            return squall_keep_memory(1 << 20, 32 << 20) != 0
        #else
            return false
        #endif
    }()
}
