import Foundation

/// Writes files completely or not at all, so that a full disk does not leave truncated files.
package enum WholeFile {
    /// Writes to a temporary file in the same folder, then replaces the file with it.
    ///
    /// A link, a pipe or a device is written to directly, as is a file in a folder that is not writable.
    ///
    /// - Throws: ``SquallError`` if the file cannot be written; no temporary file is left behind.
    package static func write(_ bytes: [UInt8], to path: String) throws(SquallError) {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: canBeReplaced(path) ? .atomic : [])
        } catch {
            throw .failed("'\(path)' cannot be written: \(systemReason(error))")
        }
    }

    package static func write(_ text: String, to path: String) throws(SquallError) {
        try write(Array(text.utf8), to: path)
    }

    /// Appends to the file, or creates it if it does not exist.
    ///
    /// - Throws: ``SquallError`` if the file cannot be written.
    package static func append(_ text: String, to path: String) throws(SquallError) {
        let present = FileManager.default.contents(atPath: path) ?? Data()
        try write(Array(present) + Array(text.utf8), to: path)
    }

    /// Returns whether the file can be replaced: its folder is writable, and the file is regular or does not exist.
    private static func canBeReplaced(_ path: String) -> Bool {
        // `NSString.deletingLastPathComponent` traps for a one-character path.
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else { return false }
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return type == nil || type == .typeRegular
    }
}

/// Returns the operating system's message for an error, such as "no such file or directory".
func systemReason(_ error: any Error) -> String {
    guard let posix = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError else {
        return error.localizedDescription
    }
    return String(cString: strerror(posix.code.rawValue)).lowercased()
}
