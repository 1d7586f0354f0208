import Adapter
import SquallCore
import Testing

/// Tests, with transcripts, that one app can serve several runs in succession.
@Suite struct AppHostTests {
    /// A test fixture: an app host and the apps that poll it.
    private struct Stage {
        var host = AppHost(url: "http://here/", timeout: .seconds(60))
        var now = Instant.zero
        private var last = 0

        init(takes: [String] = ["reset", "restart"]) {
            host.recordCapabilities(AdapterCapabilities(name: "app", takes: takes))
        }

        mutating func poll(_ app: String, after: Int64 = 0) -> [String] {
            last += 1
            return Self.texts(host.take(.next(app: app, after: after), last, at: now))
        }

        mutating func post(_ app: String, first: Int64, _ message: JSON) -> [String] {
            last += 1
            return Self.texts(host.take(.messages(app: app, first: first, [message]), last, at: now))
        }

        mutating func begin() -> [String] { Self.texts(host.begin(at: now)) }
        mutating func kill() -> [String] { Self.texts(host.kill(at: now)) }
        mutating func end(_ isReusable: Bool, wasStarted: Bool = true) -> [String] {
            Self.texts(host.end(isReusable: isReusable, wasStarted: wasStarted, at: now))
        }

        mutating func pass(_ span: TimeSpan) -> [String] {
            now = now + span
            return Self.texts(host.timer(at: now))
        }

        static func texts(_ outputs: [AppHost.Output]) -> [String] {
            outputs.map { output in
                switch output {
                case .answer(let request, let answer):
                    "\(request): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
                case .started(let isReused): isReused ? "reused" : "started"
                case .received(let message): "received \(message)"
                case .couldNotStart(let why): "could not start: \(why)"
                case .failed(let kind): "failed: \(kind)"
                case .announce(let text): text
                }
            }
        }
    }

    private static let restart = #"{"first":1,"messages":[{"id":0,"type":"restart"}]}"#

    @Test("A run waits for the app and reports the address that the app must connect to")
    func waits() {
        var stage = Stage()
        #expect(stage.begin() == ["start the app now: it connects to http://here/ (waiting for 1m)"])
        #expect(stage.poll("a") == ["started"])
        #expect(stage.post("a", first: 1, ["x": 1]) == [#"2: 200 {"taken":1}"#, #"received {"x":1}"#])
    }

    @Test("If no app connects, the run ends, and later runs end at once until an app has connected")
    func never() {
        var stage = Stage()
        _ = stage.begin()
        #expect(stage.pass(.seconds(59)) == [])
        #expect(stage.pass(.seconds(1)) == ["could not start: no app connected to http://here/ within 1m"])
        #expect(
            stage.begin() == ["could not start: no app has connected to http://here/ since the last wait for it ended"]
        )
        #expect(stage.poll("a") == [])
        #expect(stage.begin() == ["started"])
    }

    @Test("An app that supports reset is reused after a passing run and restarted after a failed run")
    func reset() {
        var stage = Stage()
        _ = stage.poll("a")
        #expect(stage.begin() == ["started"])
        #expect(stage.end(true) == [])
        #expect(stage.begin() == ["reused"])
        #expect(stage.end(false) == ["1: 200 \(Self.restart)"])
        #expect(stage.begin() == [])
        #expect(stage.poll("b") == ["started"])
    }

    @Test("An app that supports only restart restarts after each run and may reconnect before the next run begins")
    func restart() {
        var stage = Stage(takes: ["restart"])
        _ = stage.poll("a")
        _ = stage.begin()
        #expect(stage.end(true) == ["1: 200 \(Self.restart)"])
        #expect(stage.poll("b") == [])
        #expect(stage.begin() == ["started"])
    }

    @Test("An app without reset and restart is started again by hand, and its old instance is refused")
    func byHand() {
        var stage = Stage(takes: [])
        _ = stage.poll("a")
        _ = stage.begin()
        #expect(stage.end(true) == [])
        let outputs = stage.begin()
        #expect(outputs.count == 2 && outputs[0].hasPrefix("1: 410") && outputs[1].hasPrefix("start the app now"))
        #expect(stage.poll("b") == ["started"])
    }

    @Test("An instance that only listed its observables can be started later as a new instance")
    func probed() {
        var stage = Stage()
        _ = stage.poll("a")
        _ = stage.begin()
        #expect(stage.end(true, wasStarted: false) == [])
        #expect(stage.begin() == ["started"])
    }

    @Test("A kill restarts the app, and late messages of the killed instance are discarded")
    func kill() {
        var stage = Stage()
        _ = stage.poll("a")
        _ = stage.begin()
        #expect(stage.kill() == ["1: 200 \(Self.restart)"])
        #expect(stage.post("a", first: 1, ["x": 1]) == [#"2: 200 {"taken":1}"#])
        #expect(stage.begin() == [])
        #expect(stage.poll("b") == ["started"])
    }

    @Test("An app that does not reconnect after a restart fails the run")
    func lostRestart() {
        var stage = Stage()
        _ = stage.poll("a")
        _ = stage.begin()
        _ = stage.kill()
        _ = stage.begin()
        #expect(
            stage.pass(AppHost.restartLimit).last
                == "could not start: the app did not connect to http://here/ within 30s after it was asked to restart"
        )
    }

    @Test("An app that reconnects as a new instance during a run fails that run and is used for the next run")
    func reconnected() {
        var stage = Stage()
        _ = stage.poll("a")
        _ = stage.begin()
        let outputs = stage.poll("b")
        #expect(outputs.first?.hasPrefix("1: 410") == true)
        #expect(outputs.last?.hasPrefix("failed: the app connected to the control port again") == true)
        #expect(stage.end(false) == [])
        #expect(stage.begin() == ["started"])
    }

    @Test("An app that stops polling during a run fails that run and may reconnect for the next run")
    func silent() {
        var stage = Stage()
        _ = stage.poll("a")
        _ = stage.begin()
        #expect(stage.pass(AppChannel.maximumHoldTime).count == 1)
        #expect(stage.pass(AppHost.silenceLimit - .seconds(1)) == [])
        #expect(stage.pass(.seconds(1)).first?.hasPrefix("failed: the app has not polled") == true)
        #expect(stage.begin().first?.hasPrefix("start the app now") == true)
        // The app resumes after a suspension. Its run has failed in the meantime, so the response asks it to restart.
        #expect(stage.poll("a") == ["4: 200 \(Self.restart)"] || stage.poll("a") == ["3: 200 \(Self.restart)"])
        #expect(stage.poll("b").last == "started")
    }

    @Test("A malformed request fails only the run that the app is serving")
    func mistake() {
        var stage = Stage()
        _ = stage.poll("a")
        #expect(stage.host.mistake("the body is not JSON") == [])
        _ = stage.begin()
        #expect(stage.host.mistake("the body is not JSON") == [.failed(.badRequest("the body is not JSON"))])
        #expect(stage.host.mistake("the body is not JSON") == [])
    }

    @Test(
        "Waiting for an app and running with an app always end, in any sequence of requests",
        arguments: UInt64(1)...100
    )
    func always(_ seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        var stage = Stage(takes: [["reset"], ["restart"], ["reset", "restart"], []][Int(generator.below(4))])
        var isAsked = false
        var waited = TimeSpan.zero
        for _ in 0..<300 {
            let outputs: [String]
            switch generator.below(8) {
            case 0 where !isAsked:
                outputs = stage.begin()
                (isAsked, waited) = (true, .zero)
            case 1 where isAsked:
                outputs = generator.below(2) == 0 ? stage.end(generator.below(2) == 0) : stage.kill()
                isAsked = false
            case 2: outputs = stage.poll("app-\(generator.below(6))")
            default:
                outputs = stage.pass(.seconds(10))
                waited = waited + .seconds(10)
            }
            let ends = outputs.filter { $0.hasPrefix("could not start") || $0.hasPrefix("failed") }
            #expect(ends.isEmpty || isAsked, "\(ends) without a run")
            #expect(ends.count <= 1)
            if !ends.isEmpty { isAsked = false }
            if outputs.contains("started") || outputs.contains("reused") {
                #expect(isAsked, "started without a run")
                waited = .zero
            }
            // While a run waits for the app, some deadline must be pending; otherwise the run could last forever.
            if isAsked, stage.host.nextDeadline == nil { Issue.record("nothing ends this run") }
        }
    }
}
