/// The progress of an echo case: a sequence of messages that must all be echoed.
struct EchoProgress: Sendable {
    let plan: EchoPlan
    private let corpus: [UInt8]
    private var place = 0
    private var sent = 0
    private var expected: [UInt8] = []
    private(set) var done = 0
    private(set) var fault: String?

    init(_ plan: EchoPlan) {
        self.plan = plan
        switch plan.source {
        case .payload(let payload): corpus = payload.make()
        case .slices(let source, _): corpus = source.make()
        }
    }

    var isComplete: Bool { done == plan.count }

    mutating func next() -> [UInt8] {
        sent += 1
        switch plan.source {
        case .payload: expected = corpus
        case .slices(_, let size):
            expected = []
            while expected.count < size {
                let piece = corpus[place..<min(place + size - expected.count, corpus.count)]
                expected += piece
                place = (place + piece.count) % corpus.count
            }
        }
        return expected
    }

    mutating func received(_ bytes: [UInt8], isText: Bool) {
        guard done < sent else {
            fault = "received a message without having sent one"
            return
        }
        if isText != plan.isText {
            fault = "message \(done + 1) was echoed as \(isText ? "text" : "binary")"
        } else if bytes.count != expected.count {
            fault = "message \(done + 1) of \(expected.count) bytes was echoed with \(bytes.count)"
        } else if bytes != expected {
            fault = "message \(done + 1) was echoed with different bytes"
        } else {
            done += 1
        }
    }
}
