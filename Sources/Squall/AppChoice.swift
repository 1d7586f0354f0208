import Foundation
package import Live
import Sockets
import SquallCore

/// The settings for testing an app: the address of the control port from which the app requests commands, and the file
/// to which the port's URL is written.
package struct AppChoice: Hashable, Sendable {
    /// The value of `--client` that selects an app.
    package static let word = "http"

    package var place: AppPort.Place
    /// The path of the file that contains the control port's URL while the suite runs; nil to write no file.
    package var file: String?

    package init(_ place: AppPort.Place, file: String? = nil) {
        (self.place, self.file) = (place, file)
    }

    /// The command-line options, besides `--client`, that select the same app in another run; the option for the URL
    /// file is not included.
    var options: [String] {
        let usual = AppPort.Place()
        var options: [String] = []
        if place.address != usual.address { options += ["--control-host", "\(place.address)"] }
        if place.port != usual.port { options += ["--control-port", "\(place.port)"] }
        return options
    }

    /// Opens the control port, writes its URL to ``file``, and runs `body`. Afterwards the port is closed and the file
    /// removed.
    ///
    /// - Throws: ``SquallError`` if the port cannot be opened or the file cannot be written, and any error that `body`
    ///   throws.
    func withPort<Result>(
        _ announce: @escaping @Sendable (String) -> Void,
        _ body: (AppPort) async throws -> Result
    ) async throws -> Result {
        let port: AppPort
        do {
            port = try await AppPort.open(at: place, announce: announce)
        } catch let error as SocketError {
            throw SquallError.failed("--client \(Self.word): \(error); choose another port with --control-port")
        }
        let result: Swift.Result<Result, any Error>
        do {
            if let file { try WholeFile.write("\(port.url)\n", to: file) }
            result = .success(try await body(port))
        } catch {
            result = .failure(error)
        }
        await port.close()
        removeFile(with: port.url)
        return try result.get()
    }

    /// Removes the file if it still contains `url`, so that no app connects to a closed port later.
    private func removeFile(with url: String) {
        guard let file, (try? String(contentsOfFile: file, encoding: .utf8)) == "\(url)\n" else { return }
        try? FileManager.default.removeItem(atPath: file)
    }
}
