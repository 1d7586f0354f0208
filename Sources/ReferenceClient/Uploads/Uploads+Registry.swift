import SquallCore

extension Uploads {
    static let registry: [RegistryEntry] = [
        .observable(
            "uploads.pending",
            .integer,
            "The number of the user's files that are not completely uploaded."
        ),
        .observable("upload.state", .words(UploadState.self), key: "upload", "The state of the file's upload."),
        .observable(
            "upload.progress",
            .integer,
            key: "upload",
            "The percentage of the file that the server has confirmed."
        ),
        .observable("upload.chunk_size", .integer, "The size of a chunk in bytes; null before the first file."),
        .event(
            "client.shared",
            ["file", .integer("bytes"), "label"],
            key: "upload",
            "The client has accepted a file of the user, which must not be lost from then on."
        ),
        .event(
            "client.handed_over",
            [.integer("chunks")],
            key: "upload",
            "The client has handed the file to the phone's transfer service."
        ),
        .event(
            "client.uploaded",
            [.integer("bytes")],
            key: "upload",
            "The server has confirmed that it has the whole file."
        ),
    ]
}
