import Testing
import WebSocketWire

@Suite struct UTF8ValidatorTests {
    /// Returns whether the standard library considers the bytes valid: it replaces invalid bytes when it decodes.
    ///
    /// `String(validating:as:)` throws internally, and Swift Testing records a backtrace for each of these errors.
    private func isUTF8(_ bytes: some Collection<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    /// Returns the index of the first byte after which the standard library accepts no continuation; nil if there is
    /// none.
    private func expectedError(_ bytes: [UInt8]) -> Int? {
        let endings: [[UInt8]] = [[]] + [0x80, 0x90, 0xA0].flatMap { [[$0], [$0, 0x80], [$0, 0x80, 0x80]] }
        return bytes.indices.first { index in
            !endings.contains { isUTF8(bytes[...index] + $0) }
        }
    }

    private func check(_ bytes: [UInt8]) {
        var validator = UTF8Validator()
        let error = validator.firstError(in: bytes)
        #expect(error == expectedError(bytes), "\(bytes)")
        if error == nil {
            #expect(validator.isComplete == isUTF8(bytes), "\(bytes)")
        }
    }

    @Test("Every pair of bytes is validated as the standard library validates it")
    func everyPairOfBytes() {
        var wrong: [[UInt8]] = []
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                var validator = UTF8Validator()
                let isValid = validator.firstError(in: [first, second]) == nil && validator.isComplete
                if isValid != isUTF8([first, second]) {
                    wrong.append([first, second])
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        "Every byte class after every other is validated as the standard library validates it",
        arguments: [
            0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3,
            0xF4,
            0xF5,
            0xFF,
        ] as [UInt8]
    )
    func classes(first: UInt8) {
        let next: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xF4]
        for second in next {
            check([first, second])
            for third in next {
                check([first, second, third])
                guard first >= 0xF0 else { continue }
                for fourth in next { check([first, second, third, fourth]) }
            }
        }
    }

    @Test(
        "The position of the first invalid UTF-8 byte is reported",
        arguments: [
            ([0xC0, 0xAF], 0), ([0xE0, 0x80, 0xAF], 1), ([0xF0, 0x80, 0x80, 0xAF], 1),  // overlong
            ([0xED, 0xA0, 0x80], 1), ([0xED, 0xBF, 0xBF], 1),  // surrogates
            ([0xF4, 0x90, 0x80, 0x80], 1), ([0xF5, 0x80, 0x80, 0x80], 0),  // above U+10FFFF
            ([0x61, 0x80], 1), ([0xE2, 0x82, 0x61], 2), ([0xC3, 0xC3], 1), ([0xFE], 0), ([0xFF], 0),
        ] as [([UInt8], Int)]
    )
    func invalid(bytes: [UInt8], position: Int) {
        var validator = UTF8Validator()
        #expect(validator.firstError(in: bytes) == position)
    }

    @Test("An invalid byte is found at every position in a long text")
    func wrongByteIsFoundAtEveryPlaceOfALongText() {
        for place in 0..<40 {
            var bytes = [UInt8](repeating: 0x61, count: 40)
            bytes[place] = 0xFF
            var validator = UTF8Validator()
            #expect(validator.firstError(in: bytes) == place)
        }
    }

    @Test(
        "Valid text is accepted for every split of its bytes",
        arguments: ["", "a", "κόσμε", "héllo wörld, a longer one", "日本語", "🏴‍☠️\u{10FFFF}\u{FFFF}\u{D7FF}\u{E000}"]
    )
    func cuts(text: String) {
        for pieces in everyCut(of: Array(text.utf8)) {
            var validator = UTF8Validator()
            for piece in pieces { #expect(validator.firstError(in: piece) == nil) }
            #expect(validator.isComplete)
        }
    }

    @Test("An incomplete character at the end is not reported as an error yet")
    func incompleteIsNoErrorYet() {
        var validator = UTF8Validator()
        #expect(validator.firstError(in: [0x61, 0xF0, 0x9F]) == nil)
        #expect(!validator.isComplete)
        #expect(validator.firstError(in: [0, 0x98, 0x80], from: 1) == nil)
        #expect(validator.isComplete)
    }
}
