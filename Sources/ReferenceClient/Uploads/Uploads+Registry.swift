import SquallCore

extension Uploads {
    static let registry: [RegistryEntry] = [
        .observable("uploads.pending", .integer, "Files of the user that the server does not have as a whole."),
        .observable("upload.state", .words(UploadState.self), key: "upload", "What became of the file."),
        .observable(
            "upload.progress",
            .integer,
            key: "upload",
            "Of a hundred bytes of the file, how many the server is known to have."
        ),
        .observable("upload.chunk_size", .integer, "Bytes of a file that go at once; null before the first file."),
        .event(
            "client.shared",
            ["file", .integer("bytes"), "label"],
            key: "upload",
            "The client has taken a file of the user over: from here on it may not be lost."
        ),
        .event(
            "client.handed_over",
            [.integer("chunks")],
            key: "upload",
            "The phone's transfer service is to carry on with the file."
        ),
        .event(
            "client.uploaded",
            [.integer("bytes")],
            key: "upload",
            "The client knows that the server has the whole file."
        ),
    ]
}
