import Testing
import WebSocketWire

@Suite struct Base64Tests {
    @Test(
        "The test vectors of RFC 4648 section 10 are encoded and decoded",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func vectors(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test("Every character of the Base64 alphabet is decoded and encoded")
    func everyDigit() {
        let all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        #expect(Base64.decode(all).map(Base64.encode) == all)
        #expect(Base64.decode(all)?.count == 48)
        #expect(Base64.encode([0xFB, 0xFF, 0xBF]) == "+/+/")
    }

    @Test("The unused bits of the last Base64 character are ignored")
    func padBitsMayBeAnything() {
        #expect(Base64.decode("Zh==") == Base64.decode("Zg=="))
    }

    @Test(
        "Decoding a text that is not Base64 returns nil",
        arguments: ["Z", "Zg", "Zg=", "Z===", "====", "=Zg=", "Zg==Zg==", "Zm-_", "Zm9v\n", "Zg= =", "Zm9é"]
    )
    func notBase64(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
