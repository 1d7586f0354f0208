import Adapter
import SquallCore
import Testing

/// Tests adapter sessions with transcripts of the lines that a client writes and the signals that each line causes.
@Suite struct AdapterSessionTests {
    private static let ready = #"{"in_reply_to":1,"type":"init_ok","name":"acme","shows":["connection.state"]}"# + "\n"
    private static let start = AdapterCommand("start")

    private static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func greeted(_ limits: AdapterLimits = AdapterLimits()) -> AdapterSession {
        var session = AdapterSession(limits: limits)
        _ = session.ask(AdapterCommand("init"), at: .zero)
        return session
    }

    private static func readied(_ limits: AdapterLimits = AdapterLimits()) -> AdapterSession {
        var session = greeted(limits)
        _ = session.receive(bytes(ready), at: at(10))
        return session
    }

    private static func failure(_ signals: [AdapterSignal]) -> AdapterFailure? {
        if case .failed(let failure)? = signals.last { failure } else { nil }
    }

    // MARK: - Valid clients

    @Test("Answers to commands sent before a kill are ignored")
    func answersFromBeforeAKillAreIgnored() {
        var session = Self.readied()
        _ = session.ask(AdapterCommand("send"), at: Self.at(20))
        session.invalidatePendingCommands()
        _ = session.ask(AdapterCommand("kill"), at: Self.at(30))
        #expect(session.receive(Self.bytes(#"{"in_reply_to":2,"type":"ok"}"# + "\n"), at: Self.at(40)).isEmpty)
        guard
            case .done(let command, _)? = session.receive(
                Self.bytes(#"{"in_reply_to":3,"type":"ok"}"# + "\n"),
                at: Self.at(41)
            ).first
        else {
            Issue.record("the answer to kill was not reported")
            return
        }
        #expect(command.type == "kill")
    }

    @Test("init_ok declares the client's observables and ends the time limit for init")
    func initOkSaysWhatTheClientShows() {
        var session = Self.greeted()
        #expect(session.nextDeadline == .zero + .seconds(30))
        let signals = session.receive(Self.bytes(Self.ready), at: Self.at(10))
        #expect(signals == [.ready(AdapterCapabilities(name: "acme", shows: ["connection.state"]))])
        #expect(session.isReady)
        #expect(session.nextDeadline == nil)
    }

    /// A client written in a language with unordered maps may order the members of its declaration differently each
    /// time.
    @Test("Two client declarations that differ only in order are equal") func offersHaveNoOrder() throws {
        func offer(_ text: String) throws -> AdapterCapabilities {
            try AdapterCapabilities(JSON.decode(Self.bytes(text)))
        }
        let one =
            #"{"name":"a","shows":["x.a","x.b"],"takes":["send","kill"],"states":{"UP":"connected","DOWN":"offline"}}"#
        let other =
            #"{"name":"a","shows":["x.b","x.a"],"takes":["kill","send"],"states":{"DOWN":"offline","UP":"connected"}}"#
        #expect(try offer(one) == offer(other))
    }

    @Test("A prefix in a client's list of observables includes every observable below that prefix")
    func aNameIncludesThoseBelowIt() {
        let offer = AdapterCapabilities(name: "acme", shows: ["client.backoff", "toast.text"])
        #expect(offer.shows("client.backoff.began"))
        #expect(offer.shows("toast.text"))
        #expect(!offer.shows("client.backoffs"))
        #expect(!offer.shows("toast"))
    }

    @Test("Commands are numbered, and answers in any order are matched with their commands")
    func commandsAreNumberedAndTheirAnswersFound() {
        var session = Self.readied()
        #expect(session.ask(Self.start, at: Self.at(20)) == Self.bytes(#"{"id":2,"type":"start"}"# + "\n"))
        let send = AdapterCommand("send", [JSONMember("text", "hi")])
        #expect(session.ask(send, at: Self.at(30)) == Self.bytes(#"{"id":3,"type":"send","text":"hi"}"# + "\n"))
        let answers =
            #"{"in_reply_to":3,"type":"ok","client_message_id":"c-1"}"# + "\n" + #"{"in_reply_to":2,"type":"ok"}"#
            + "\n"
        #expect(
            session.receive(Self.bytes(answers), at: Self.at(40)) == [
                .done(send, .init(clientMessageID: "c-1")), .done(Self.start, .init()),
            ]
        )
        #expect(session.nextDeadline == nil)
    }

    @Test("Adapter lines that arrive byte by byte give the same signals as complete lines")
    func linesMayComeInAnyPieces() {
        let text = Self.ready + "\r\n" + #"{"event":"state","value":"OPEN"}"# + "\r\n\n"
        var whole = Self.greeted()
        let signals = whole.receive(Self.bytes(text), at: .zero)
        #expect(signals.count == 2)
        var pieces = Self.greeted()
        #expect(Self.bytes(text).flatMap { pieces.receive([$0], at: .zero) } == signals)
    }

    @Test("A refused command records whether the refusal is definite", arguments: [true, false])
    func anErrorIsDefiniteOrIndefinite(_ definite: Bool) {
        var session = Self.readied()
        _ = session.ask(Self.start, at: .zero)
        let line = #"{"in_reply_to":2,"type":"error","definite":\#(definite),"code":"offline","text":"no"}"# + "\n"
        let refusal = AdapterRefusal(code: "offline", isDefinite: definite, text: "no")
        #expect(session.receive(Self.bytes(line), at: .zero) == [.refused(Self.start, refusal)])
        #expect(!session.isOver)
    }

    @Test("Unknown fields are ignored, and unknown message types are reported and skipped")
    func unknownFieldsAndTypes() {
        var session = Self.readied()
        let lines =
            #"{"event":"state","value":"OPEN","mood":"good"}"# + "\n" + #"{"type":"telemetry","x":1}"# + "\n"
            + #"{"event":"aurora"}"# + "\n"
        #expect(
            session.receive(Self.bytes(lines), at: .zero) == [
                .event(.state("OPEN")), .ignored("telemetry"), .ignored("aurora"),
            ]
        )
    }

    @Test("A reused client is reset first, and its output from the previous run is discarded")
    func aReusedClientIsResetFirst() {
        var session = AdapterSession(isReused: true)
        #expect(session.ask(AdapterCommand("reset"), at: .zero) == Self.bytes(#"{"id":1,"type":"reset"}"# + "\n"))
        // The previous run ended in the middle of a line, so the rest of that line arrives first.
        let late =
            #"ue":"OPEN"}"# + "\n" + #"{"event":"state","value":"OPEN"}"# + "\n" + #"{"in_reply_to":9,"type":"ok"}"#
            + "\n"
        #expect(session.receive(Self.bytes(late), at: .zero) == [])
        #expect(session.receive(Self.bytes(#"{"in_reply_to":1,"type":"ok"}"# + "\n"), at: .zero) == [.reset])
        #expect(session.ask(AdapterCommand("init"), at: .zero) == Self.bytes(#"{"id":2,"type":"init"}"# + "\n"))
        let ready = Self.ready.replacing("\"in_reply_to\":1", with: "\"in_reply_to\":2")
        #expect(session.receive(Self.bytes(ready), at: .zero).count == 1)
        #expect(session.isReady)
    }

    @Test("A reset that is not answered fails the session") func aResetThatIsNotAnsweredFails() {
        var session = AdapterSession(isReused: true)
        _ = session.ask(AdapterCommand("reset"), at: .zero)
        #expect(session.timer(at: Self.at(5_000)) == [.closeInput])
        #expect(
            Self.failure(session.timer(at: Self.at(5_200)))?.kind
                == .commandTimedOut(command: "reset", after: .seconds(5))
        )
    }

    // MARK: - Faulty clients

    @Test("A client that does not answer init fails at the deadline") func neverAnsweringInitFailsAtTheDeadline() {
        var session = Self.greeted()
        session.receiveErrors(Self.bytes("waiting for the database\n"))
        #expect(session.timer(at: Self.at(29_999)) == [])
        #expect(session.timer(at: Self.at(30_000)) == [.closeInput])
        let failure = Self.failure(session.timer(at: Self.at(30_200)))
        #expect(failure?.kind == .neverReady(after: .seconds(30)))
        #expect(failure?.lastErrors == ["waiting for the database"])
        #expect(session.nextDeadline == nil)
    }

    @Test("A command without an answer fails the session at its deadline") func hangingOnACommandFailsAtItsDeadline() {
        var session = Self.readied()
        _ = session.ask(Self.start, at: Self.at(100))
        #expect(session.nextDeadline == Self.at(5_100))
        #expect(session.timer(at: Self.at(5_100)) == [.closeInput])
        #expect(session.nextDeadline == Self.at(5_300))
        #expect(
            Self.failure(session.timer(at: Self.at(5_300)))?.kind
                == .commandTimedOut(command: "start", after: .seconds(5))
        )
    }

    /// A client that hangs after an exception often prints the exception only when its standard input is closed.
    @Test("A client that does not answer has time to print its error before the session ends")
    func aHungClientCanPrintItsError() {
        var session = Self.readied()
        _ = session.ask(Self.start, at: .zero)
        #expect(session.timer(at: Self.at(5_000)) == [.closeInput])
        #expect(session.isOver)
        // The answer arrives after the deadline.
        #expect(session.receive(Self.bytes(#"{"in_reply_to":2,"type":"ok"}"# + "\n"), at: Self.at(5_010)) == [])
        session.outputClosed(at: Self.at(5_020))
        session.receiveErrors(Self.bytes("KeyError: 'seq'\n"))
        let failure = Self.failure(session.exited(.status(1)))
        #expect(failure?.kind == .commandTimedOut(command: "start", after: .seconds(5)))
        #expect(
            failure?.description.hasSuffix("exit status 1; last lines of standard error: KeyError: 'seq'") == true
        )
        #expect(session.nextDeadline == nil)
    }

    @Test("The deadline of a command does not run while the client is paused")
    func pausedClient() {
        var session = Self.readied()
        _ = session.ask(Self.start, at: Self.at(0))
        session.pause(at: Self.at(1_000))
        #expect(session.nextDeadline == nil)
        session.resume(at: Self.at(61_000))
        #expect(session.nextDeadline == Self.at(65_000))
    }

    @Test(
        "A line that is not a JSON object fails the session with the reason",
        arguments: [
            ("Listening on port 8080", "unexpected 'L' at byte 0"), ("[1]", "not an object"),
            ("{\"type\":\"ok\"", "unexpected end"),
            ("\u{1}\u{2}", "unexpected 0x01"), ("{\"a\":1,\"a\":2}", "given before"),
        ]
    )
    func garbageIsShownWithItsReason(_ garbage: String, _ reason: String) {
        var session = Self.readied()
        let failure = Self.failure(session.receive(Self.bytes(garbage + "\n"), at: .zero))
        #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "none")")
        #expect(session.isOver)
    }

    @Test("A session that has failed reports nothing further") func nothingCountsAfterAFailure() {
        var session = Self.readied()
        let lines = "oops\n" + #"{"event":"state","value":"OPEN"}"# + "\n"
        #expect(session.receive(Self.bytes(lines), at: .zero).count == 1)
        #expect(session.receive(Self.bytes(lines), at: .zero) == [])
        #expect(session.exited(.status(1)) == [])
        #expect(session.timer(at: .never) == [])
    }

    @Test("A line longer than the limit fails the session") func aLineWithoutEndIsNotKept() {
        var session = Self.readied(AdapterLimits(line: 1_000))
        #expect(session.receive([UInt8](repeating: 0x20, count: 1_000), at: .zero) == [])
        #expect(Self.failure(session.receive([0x20], at: .zero))?.kind == .lineTooLong(limit: 1_000))
    }

    @Test("Too many lines within a second fail the session") func aFloodIsStopped() {
        var session = Self.readied(AdapterLimits(floodLines: 100))
        let line = Self.bytes(#"{"event":"log","text":"x"}"# + "\n")
        for _ in 0..<99 { #expect(session.receive(line, at: Self.at(20)).count == 1) }
        #expect(Self.failure(session.receive(line, at: Self.at(30)))?.kind == .flooded(lines: 100, within: .seconds(1)))
    }

    @Test("Answers to advance do not count as a flood") func answersToAdvanceAreNoFlood() {
        var session = Self.readied(AdapterLimits(floodLines: 100))
        for number in Int64(2)...1_000 {
            _ = session.ask(.advance(to: Self.at(20)), at: Self.at(20))
            let answer = Self.bytes(#"{"in_reply_to":\#(number),"type":"ok","next":null}"# + "\n")
            #expect(session.receive(answer, at: Self.at(20)).count == 1)
        }
    }

    @Test("Many lines spread over a long time do not fail the session") func manyLinesOverALongTimeAreNoFlood() {
        var session = Self.readied(AdapterLimits(floodLines: 100))
        let line = Self.bytes(#"{"event":"log","text":"x"}"# + "\n")
        for number in 0..<10_000 {
            #expect(session.receive(line, at: Self.at(20 + Int64(number) * 20)).count == 1)
        }
    }

    @Test("An exit is reported with its signal and the last lines of standard error")
    func exitIsReported() {
        var session = Self.readied()
        session.receiveErrors(Self.bytes((1...100).map { "line \($0)\n" }.joined()))
        let failure = Self.failure(session.exited(.signal(11)))
        #expect(failure?.kind == .exited(.signal(11)))
        #expect(failure?.lastErrors == (93...100).map { "line \($0)" })
        #expect(failure?.description.hasPrefix("the client ended by itself with signal 11\n") == true)
        let lines = (93...100).map { "\n  | line \($0)" }.joined()
        #expect(failure?.description.hasSuffix("\nlast lines of standard error:\(lines)") == true)
    }

    @Test("Standard error output without line breaks is kept only up to a limit") func anEndlessErrorStreamIsNotKept() {
        var session = Self.readied()
        for _ in 0..<1_000 { session.receiveErrors([UInt8](repeating: UInt8(ascii: "e"), count: 10_000)) }
        #expect(session.lastErrors.count == 1)
        #expect(session.lastErrors.allSatisfy { $0.utf8.count < 200 })
    }

    @Test("Closing standard output fails the session if the client does not exit within a second")
    func aClosedOutputFailsUnlessTheEndFollows() {
        var session = Self.readied()
        session.outputClosed(at: Self.at(100))
        #expect(session.timer(at: Self.at(1_099)) == [])
        #expect(Self.failure(session.timer(at: Self.at(1_100)))?.kind == .closedOutput)
    }

    @Test("An answer to a command that was never sent fails the session") func anAnswerToNothingFails() {
        var session = Self.readied()
        #expect(
            Self.failure(session.receive(Self.bytes(#"{"in_reply_to":7,"type":"ok"}"# + "\n"), at: .zero))?.kind
                == .unsolicited(id: 7)
        )
        var twice = Self.readied()
        #expect(Self.failure(twice.receive(Self.bytes(Self.ready), at: .zero))?.kind == .unsolicited(id: 1))
    }

    @Test("An answer not_supported to a command that the client has declared fails the session")
    func aCommandThatIsTakenCannotBeUnsupported() {
        var session = Self.readied()
        _ = session.ask(Self.start, at: .zero)
        let line = #"{"in_reply_to":2,"type":"error","definite":true,"code":"not_supported"}"# + "\n"
        #expect(Self.failure(session.receive(Self.bytes(line), at: .zero))?.kind == .notSupported(command: "start"))
    }

    @Test("A refused init and an unknown clock each fail the session with a reason")
    func refusedInitAndUnknownClock() {
        var session = Self.greeted()
        let refused = #"{"in_reply_to":1,"type":"error","definite":true,"text":"no licence"}"# + "\n"
        #expect(Self.failure(session.receive(Self.bytes(refused), at: .zero))?.kind == .refusedInit("no licence"))
        var lunar = Self.greeted()
        let clock = #"{"in_reply_to":1,"type":"init_ok","name":"acme","clock":"lunar"}"# + "\n"
        #expect(Self.failure(lunar.receive(Self.bytes(clock), at: .zero))?.kind == .unknownClock("lunar"))
    }

    @Test("The answer to advance contains the time of the client's next timer, or null for none")
    func answerToAdvance() throws {
        for (next, expected) in [("1500", 1500), ("null", nil)] as [(String, Int64?)] {
            var session = Self.readied()
            _ = session.ask(.advance(to: .zero), at: .zero)
            let line = #"{"in_reply_to":2,"type":"ok","next":"# + next + "}\n"
            let signals = session.receive(Self.bytes(line), at: .zero)
            let timer = expected.map { Instant(nanoseconds: $0) }
            #expect(signals == [.done(.advance(to: .zero), AdapterMessage.Completion(nextTimer: timer))])
        }
        for malformed in ["-1", "1.5", #""soon""#] {
            var session = Self.readied()
            _ = session.ask(.advance(to: .zero), at: .zero)
            let line = #"{"in_reply_to":2,"type":"ok","next":"# + malformed + "}\n"
            let failure = Self.failure(session.receive(Self.bytes(line), at: .zero))
            #expect(failure?.kind == .badField(message: "ok", field: "next"), "\(malformed)")
        }
    }

    @Test("A session that Squall has ended reports no further failure") func endedBySquall() {
        var session = Self.readied()
        session.end()
        #expect(session.receive(Self.bytes("garbage\n"), at: .zero) == [])
        #expect(session.exited(.signal(9)) == [])
    }

    @Test("After random bytes a session has either failed with one reason or still answers the next line")
    func noBytesCrashTheReader() {
        var generator = Seed(7).stream("fuzz")
        var (failed, answered) = (0, 0)
        func check(_ session: inout AdapterSession, _ signals: [AdapterSignal]) {
            guard !session.isOver else {
                #expect(Self.failure(signals)?.description.isEmpty == false)
                #expect(session.receive(Self.bytes(Self.ready), at: .zero) == [])
                failed += 1
                return
            }
            #expect(Self.failure(signals) == nil)
            if !session.isReady {
                #expect(session.receive(Self.bytes(Self.ready), at: .zero).count == 1)
            }
            #expect(session.isReady)
            _ = session.ask(Self.start, at: .zero)
            let answer = Self.bytes(#"{"in_reply_to":2,"type":"ok"}"# + "\n")
            #expect(session.receive(answer, at: .zero) == [.done(Self.start, .init())])
            answered += 1
        }
        for _ in 0..<2_000 {
            var session = Self.readied()
            let count = Int(truncatingIfNeeded: generator.next() % 80)
            let noise = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let signals = session.receive(noise + [UInt8(ascii: "\n")], at: .zero)
            check(&session, signals)
            var example = Array(Self.ready.utf8)
            let index = Int(truncatingIfNeeded: generator.next() % UInt64(example.count - 1))
            example[index] = UInt8(truncatingIfNeeded: generator.next())
            var greeted = Self.greeted()
            let answers = greeted.receive(example, at: .zero)
            check(&greeted, answers)
        }
        #expect(failed > 0 && answered > 0)
    }
}
