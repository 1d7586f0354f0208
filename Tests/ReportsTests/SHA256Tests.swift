import Testing

@testable import Reports

/// Tests SHA-256 with the examples from FIPS 180-4 and the Content Security Policy specification.
@Suite struct SHA256Tests {
    private func hex(_ text: String) -> String {
        SHA256.digest(of: Array(text.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    @Test(
        "SHA-256 gives the published digests of known texts",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func knownAnswers(text: String, digest: String) {
        #expect(hex(text) == digest)
    }

    @Test("SHA-256 gives the published digest of a million letters")
    func aMillionLetters() {
        #expect(
            hex(String(repeating: "a", count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        )
    }

    /// From 56 bytes on, the padding and the message length need an additional block.
    @Test("SHA-256 pads texts whose length is near a block boundary correctly")
    func lengthsAroundABlock() {
        #expect(hex(String(repeating: "x", count: 55)) != hex(String(repeating: "x", count: 56)))
        let fiftySix = hex(String(repeating: "a", count: 56))
        #expect(fiftySix == "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a")
    }

    @Test("The hash source for a content security policy is in Base64")
    func asASourceOfAPolicy() {
        let source = SHA256.source(of: Array("alert('Hello, world.');".utf8))
        #expect(source == "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=")
    }
}
