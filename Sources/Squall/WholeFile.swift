import Foundation

/// Files that hold all they should, or are not there: a page that was cut off by a full disk looks like one that is broken.
package enum WholeFile {
    /// Writes beside it under a temporary name first, and takes that away again where it could not be finished.
    ///
    /// What is there already and is no plain file, a link, a pipe or a device, is written to as it is.
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

    /// A new file beside it needs a folder that may be written to.
    private static func canBeReplaced(_ path: String) -> Bool {
        let folder = (path as NSString).deletingLastPathComponent
        guard FileManager.default.isWritableFile(atPath: folder.isEmpty ? "." : folder) else { return false }
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return type == nil || type == .typeRegular
    }
}

/// Why the system refused, in its own words.
func systemReason(_ error: any Error) -> String {
    guard let posix = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError else {
        return error.localizedDescription
    }
    return String(cString: strerror(posix.code.rawValue)).lowercased()
}
