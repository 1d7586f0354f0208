import ChatWire
import FakeServer
import SquallCore
import Testing

@Suite struct UploadTests {
    private func upload(
        _ stage: inout Stage,
        _ offset: Int64,
        _ count: Int,
        of size: Int64,
        name: String = "a"
    ) throws -> (status: Int, receipt: UploadReceipt?) {
        let body = [UInt8](repeating: 7, count: count)
        let part = UploadPart(offset: offset, size: size)
        let response = try stage.fetch(.upload(name: name, part: part), body: body)
        return (response.status, try? UploadReceipt.decode(response.body, stage.wire))
    }

    @Test("An upload is complete once all parts have arrived") func aFileGrowsPartByPart() throws {
        var stage = Stage()
        let first = try upload(&stage, 0, 600, of: 1000)
        #expect(first.status == 202)
        #expect(first.receipt == UploadReceipt(received: 600, isComplete: false))
        #expect(stage.named("server.uploaded").isEmpty)
        let last = try upload(&stage, 600, 400, of: 1000)
        #expect(last.status == 201)
        #expect(last.receipt == UploadReceipt(received: 1000, isComplete: true))
        #expect(
            stage.named("server.upload_part").map(\.fields) == [
                ["offset": 0, "bytes": 600], ["offset": 600, "bytes": 400],
            ]
        )
        #expect(stage.named("server.uploaded").map(\.fields) == [["name": "a", "bytes": 1000]])
        #expect(stage.named("server.uploaded").map(\.key) == ["a"])
    }

    @Test("Bytes that have already been uploaded are not stored again") func repeatedParts() throws {
        var stage = Stage()
        _ = try upload(&stage, 0, 600, of: 1000)
        let again = try upload(&stage, 0, 600, of: 1000)
        #expect(again.status == 200)
        #expect(again.receipt?.received == 600)
        let overlapping = try upload(&stage, 500, 500, of: 1000)
        #expect(overlapping.status == 201)
        #expect(stage.named("server.upload_part").last?.fields == ["offset": 600, "bytes": 400])
        #expect(try upload(&stage, 900, 100, of: 1000).status == 200)
        #expect(stage.named("server.uploaded").count == 1)
    }

    /// The size limit applies to the whole file, however small its chunks are.
    @Test(
        "A file above the size limit is refused",
        arguments: [(256 << 20, 202), ((256 << 20) + 1, 413), (.max, 413)] as [(Int64, Int)]
    )
    func aFileHasALimit(_ size: Int64, _ status: Int) throws {
        var stage = Stage()
        #expect(try upload(&stage, 0, 10, of: size).status == status)
    }

    @Test(
        "A part that leaves a gap or states a different total size is refused",
        arguments: [
            (1, 10, 1000), (601, 1, 1000), (600, 401, 1000), (600, 400, 1001),
        ] as [(Int64, Int, Int64)]
    )
    func holesAndOtherFilesAreRefused(_ offset: Int64, _ count: Int, _ size: Int64) throws {
        var stage = Stage()
        if offset != 1 { _ = try upload(&stage, 0, 600, of: 1000) }
        #expect(try upload(&stage, offset, count, of: size).status == 409)
        #expect(stage.named("server.uploaded").isEmpty)
    }

    @Test(
        "A target with a malformed upload range matches no route",
        arguments: [
            "offset=1", "size=1", "offset=2&size=1", "offset=-1&size=1", "offset=a&size=1", "offset=0&offset=0&size=1",
        ]
    )
    func partsThatCannotBeReadAreNoRoute(_ query: String) {
        #expect(ChatRoute.parse(method: "POST", target: "/uploads/a?\(query)", WireProfile()) == nil)
    }

    @Test("An empty file is stored once") func anEmptyFileIsStoredOnce() throws {
        var stage = Stage()
        #expect(try upload(&stage, 0, 0, of: 0).status == 201)
        #expect(try upload(&stage, 0, 0, of: 0).status == 200)
    }

    @Test("A restart keeps the uploaded parts unless it loses the server's state")
    func aRestartKeepsPartsUnlessItLosesAll() throws {
        for (state, status) in [("keep", 201), ("lose", 409)] {
            var stage = Stage()
            _ = try upload(&stage, 0, 600, of: 1000)
            try stage.act("restart", [("down", .duration(.seconds(1))), ("state", .text(state))])
            stage.advance(.seconds(3))
            #expect(try upload(&stage, 600, 400, of: 1000).status == status, "\(state)")
        }
    }

    @Test("After a restart with loss of state a file is uploaded again from its beginning")
    func lostPartsAreUploadedAgain() throws {
        var stage = Stage()
        _ = try upload(&stage, 0, 600, of: 1000)
        try stage.act("restart", [("down", .duration(.seconds(1))), ("state", .text("lose"))])
        stage.advance(.seconds(3))
        #expect(try upload(&stage, 0, 1000, of: 1000).status == 201)
        #expect(stage.named("server.uploaded").map(\.fields) == [["name": "a", "bytes": 1000]])
    }
}
