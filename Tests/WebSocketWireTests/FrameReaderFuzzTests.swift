import Deflate
import SquallCore
import Testing
import WebSocketWire

/// Tests that arbitrary bytes never cause a trap or exceed the memory limit, and that the decoded frames do not depend
/// on how the bytes are split.
@Suite struct FrameReaderFuzzTests {
    private static let budget = 2000 * FuzzBudget.factor
    private static let limit = 200

    private struct Reading: Equatable {
        var frames: [WebSocketFrame] = []
        var violation: ProtocolViolation?
    }

    private func read(_ pieces: [[UInt8]], role: WebSocketRole, compresses: Bool) -> Reading {
        var (decoder, reading) = (FrameDecoder(role: role, maxPayload: Self.limit), Reading())
        decoder.allowsCompression = compresses
        for piece in pieces {
            decoder.append(piece)
            do throws(ProtocolViolation) {
                while let frame = try decoder.next() { reading.frames.append(frame) }
            } catch {
                reading.violation = error
            }
            // The decoder must buffer only bytes that can still become part of a frame, even if a header declares a
            // greater length.
            #expect((decoder.arriving?.payload.count ?? 0) <= Self.limit + Self.limit / 512 + 64)
        }
        return reading
    }

    /// Returns bytes that often resemble frames, so that decoding continues after the first frame.
    private func bytes(_ role: WebSocketRole, using generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0...generator.below(6) {
            let forms: [FrameHeader.LengthForm?] = [nil, nil, nil, nil, nil, nil, .bits16, .bits64]
            let payload = (0..<generator.below(40)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let isOdd = generator.below(8) == 0
            let header = FrameHeader(
                fin: generator.below(4) > 0,
                rsv1: generator.below(6) == 0,
                rsv2: isOdd && generator.below(4) == 0,
                opcode: Opcode(
                    rawValue: isOdd ? UInt8(generator.below(16)) : [0, 1, 2, 8, 9, 10][Int(generator.below(6))]
                ),
                maskKey: (role == .server) != (generator.below(20) == 0)
                    ? UInt32(truncatingIfNeeded: generator.next()) : nil,
                length: isOdd && generator.below(4) == 0 ? generator.next() : UInt64(payload.count),
                lengthForm: isOdd ? forms[Int(generator.below(8))] : nil
            )
            WebSocketFrame(header: header, payload: payload).append(to: &bytes)
        }
        if generator.below(4) == 0 { bytes = bytes.map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
        return bytes
    }

    @Test(
        "Random frames are decoded the same for every split, and buffering stays within the limit",
        arguments: WebSocketRole.allCases,
        [false, true]
    )
    func frames(role: WebSocketRole, compresses: Bool) {
        var generator = FuzzBudget.stream(21, "frames \(role) \(compresses)")
        var (frames, violations) = (0, 0)
        for run in 0..<Self.budget {
            let bytes = bytes(role, using: &generator)
            let whole = read([bytes], role: role, compresses: compresses)
            let cut = randomCut(of: bytes, using: &generator)
            #expect(read(cut, role: role, compresses: compresses) == whole, "\(FuzzBudget.place(run))")
            #expect(read(bytes.map { [$0] }, role: role, compresses: compresses) == whole, "\(FuzzBudget.place(run))")
            #expect(whole.frames.reduce(0) { $0 + $1.header.size + $1.payload.count } <= bytes.count)
            frames += whole.frames.count
            violations += whole.violation == nil ? 0 : 1
        }
        // Both frames and violations must occur often; otherwise, the test proves nothing.
        #expect(frames > Self.budget * 3 / 4)
        #expect(violations > Self.budget / 4)
    }

    /// Returns the decompressed bytes and the error that stopped the decompression, if any.
    private func inflate(_ pieces: [[UInt8]]) -> ([UInt8], DeflateError?) {
        var (inflater, output) = (Inflater(windowBits: 15), [UInt8]())
        do throws(DeflateError) {
            for piece in pieces { try inflater.decompress(piece, into: &output, limit: Self.limit) }
            try inflater.finish(into: &output, limit: Self.limit)
            return (output, nil)
        } catch {
            return (output, error)
        }
    }

    @Test("Valid and broken compressed bytes give the same output and error for every split")
    func compressed() throws {
        var generator = FuzzBudget.stream(22, "compressed")
        var outcomes: [DeflateError?: Int] = [:]
        for run in 0..<Self.budget {
            var deflater = Deflater(windowBits: 15)
            let length = generator.below(generator.below(4) == 0 ? 2000 : 150)
            var bytes = try deflater.compress((0..<length).map { _ in UInt8(generator.below(3)) })
            if run % 2 == 0, !bytes.isEmpty {
                bytes[Int(generator.below(UInt64(bytes.count)))] = UInt8(truncatingIfNeeded: generator.next())
            }
            let whole = inflate([bytes])
            #expect(inflate(randomCut(of: bytes, using: &generator)) == whole, "\(FuzzBudget.place(run))")
            #expect(inflate(bytes.map { [$0] }) == whole, "\(FuzzBudget.place(run))")
            #expect(whole.0.count <= Self.limit + 1)
            outcomes[whole.1, default: 0] += 1
        }
        for outcome in [nil, DeflateError.malformed, .tooLong(limit: Self.limit)] {
            #expect(outcomes[outcome, default: 0] > Self.budget / 50, "\(outcomes)")
        }
    }
}
