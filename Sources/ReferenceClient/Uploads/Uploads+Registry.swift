import SquallCore

extension Uploads {
    static let registry: [RegistryEntry] = [
        .observable(
            "uploads.pending",
            .integer,
            "The number of the user's files that are not completely uploaded."
        ),
        .observable("upload.state", .words(UploadState.self), key: "upload", "The state of a file's upload."),
        .observable(
            "upload.progress",
            .integer,
            key: "upload",
            "The percentage of a file's bytes that the server has confirmed."
        ),
        .observable(
            "upload.chunk_size",
            .integer,
            "The size of an upload's chunks in bytes; null before the first upload."
        ),
        .event(
            "client.shared",
            ["file", .integer("bytes"), "label"],
            key: "upload",
            "The client has accepted a file from the user; from now on the file must not be lost."
        ),
        .event(
            "client.handed_over",
            [.integer("chunks")],
            key: "upload",
            "The client has handed a file to the phone's transfer service, which uploads it."
        ),
        .event(
            "client.uploaded",
            [.integer("bytes")],
            key: "upload",
            "The server has confirmed to the client that it has received a file completely."
        ),
    ]
}
