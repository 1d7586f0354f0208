import Testing
import WebSocketWire

@Suite struct SHA1Tests {
    @Test(
        "SHA-1 gives the digests of the FIPS 180 test vectors",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (String(repeating: "a", count: 10_000), "a080cbda64850abb7b7f67ee875ba068074ff6fe"),
        ]
    )
    func vectors(message: String, digest: String) {
        #expect(hex(SHA1.digest(Array(message.utf8))) == digest)
    }

    /// Each message consists of the bytes 0, 1, 2, …, and has a length close to a block boundary.
    @Test(
        "SHA-1 gives correct digests for lengths around a block boundary",
        arguments: [
            (55, "8ae2d46729cfe68ff927af5eec9c7d1b66d65ac2"),
            (56, "636e2ec698dac903498e648bd2f3af641d3c88cb"),
            (57, "7cb1330f35244b57437539253304ea78a6b7c443"),
            (63, "6d942da0c4392b123528f2905c713a3ce28364bd"),
            (64, "c6138d514ffa2135bfce0ed0b8fac65669917ec7"),
            (65, "69bd728ad6e13cd76ff19751fde427b00e395746"),
            (119, "41c89d06001bab4ab78736b44efe7ce18ce6ae08"),
            (120, "d3dbd653bd8597b7475321b60a36891278e6a04a"),
            (128, "e6434bc401f98603d7eda504790c98c67385d535"),
        ]
    )
    func blockBoundaries(length: Int, digest: String) {
        #expect(hex(SHA1.digest((0..<length).map { UInt8($0) })) == digest)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
    }
}
