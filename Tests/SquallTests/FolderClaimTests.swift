import Foundation
import SquallCore
import Testing

@testable import Squall

/// Tests that a report folder belongs to one process at a time.
@Suite struct FolderClaimTests {
    @Test("A report folder that another process writes to is refused until that process ends")
    func claimedFolderIsRefused() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("squall-claim-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A lock belongs to the descriptor with which it was taken, so this one acts like that of another process.
        let other = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: SquallError.self) { try FolderClaim.take(folder) }
        close(other)
        try FolderClaim.take(folder)
        // This process may use the folder again, by any path.
        try FolderClaim.take("\(folder)/.")
        let late = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(late) }
        #expect(flock(late, LOCK_EX | LOCK_NB) != 0, "the folder stays locked")
    }
}
