import Testing

@testable import WebSocketWire

@Suite struct ByteQueueTests {
    @Test("A byte queue returns bytes in the order in which they were appended")
    func bytesComeOutAsTheyWentIn() {
        var queue = ByteQueue()
        queue.append([1, 2, 3])
        #expect(queue.take(2) == [1, 2])
        queue.append([4])
        #expect(queue.count == 2)
        #expect(queue.take(9) == [3, 4])
        #expect(queue.isEmpty)
        #expect(queue.take(1) == [])
    }

    @Test("A byte queue finds lines that arrive byte by byte")
    func linesAreFoundHoweverTheyArrive() {
        var queue = ByteQueue()
        var lines: [[UInt8]] = []
        for byte in Array("ab\n\nc\nd".utf8) {
            queue.append([byte])
            if let line = queue.takeLine() { lines.append(Array(line)) }
        }
        #expect(lines == [Array("ab".utf8), [], Array("c".utf8)])
        #expect(queue.takeLine() == nil)
        #expect(queue.take(9) == Array("d".utf8))
    }

    @Test("A byte queue finds a line after earlier bytes were searched and skipped")
    func lineIsFoundBehindWhatWasSearchedAndMoved() {
        var queue = ByteQueue()
        queue.append([1, 2, 3, 4, 5])
        #expect(queue.takeLine() == nil)
        queue.skip(4)
        queue.append([0x0A, 7])
        #expect(queue.takeLine().map(Array.init) == [5])
    }

    @Test("A byte queue releases the memory of bytes that were taken")
    func takenBytesAreReleased() {
        var queue = ByteQueue()
        queue.append([0])
        for _ in 0..<1000 {
            queue.append([1, 2])
            _ = queue.take(2)
            #expect(queue.bytes.count <= 2 * queue.count + 2)
        }
    }
}
