import SquallCore
import Trace

/// `screen_keeps_place`: a list keeps its scroll position until the user scrolls it.
struct ScreenKeepsPlace: StandingInvariant {
    let interest = InvariantKinds(
        .screen,
        .rows,
        .messageList,
        .otherEvent,
        .act,
        .allowed,
        .user,
        .signedOut,
        .signOutAsked,
        .signedIn,
        .serverForgot,
        .streamText,
        .done,
        .started,
        .killed
    )
    private let displayDelay: TimeSpan
    private var record = FindingRecorder(until: "the client showed no list")
    private var shown = LatestValues()
    /// The scroll position of each conversation's list when the user left it.
    private var places: [String: String] = [:]
    /// The conversation open at the end of the previous instant; `place` is its list's scroll position at that time.
    private var open: String?
    private var place: String?
    /// The message at the scroll position of the list; nil after a user action, which may have scrolled the list.
    private var anchor: String?
    private var changed: (time: Instant, event: Int)?
    private var hasScrolled = false
    /// Whether the user has scrolled, or has sent a message, at the current instant. The new position might not have
    /// been reported yet.
    private var hasUserScrolled = false
    /// For each conversation, the last message of its list before the current instant, if that message may have
    /// disappeared from the list.
    private var lost: [String: (message: JSON, event: Int)] = [:]
    /// The streamed messages. The client hides an incomplete streamed message if the rest of its text does not arrive.
    private var streamed: Set<String> = []
    /// For each pair of conversations, the direction of the last screen transition between them. The key consists of
    /// their names, separated by a space.
    private var directions: [String: String] = [:]
    /// The directions of the screen transitions at the current instant.
    private var slides: [String] = []

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        displayDelay = settings.displayDelay
    }

    var finding: Finding { record.finding }
    var deadline: Instant? { changed.map { $0.time + displayDelay } }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .started, .killed, .signedOut, .signedIn, .signOutAsked, .serverForgot, .user:
            lost = [:]
            guard kind == .started || kind == .killed || kind == .signedOut else { return }
            (shown, places, open, place, anchor, changed) = (LatestValues(), [:], nil, nil, nil, nil)
            (directions, slides, hasScrolled, hasUserScrolled) = ([:], [], false, false)
        case .act, .allowed: anchor = nil
        // The response to an HTTP request may change the order of the conversations, and thus the direction of later
        // transitions.
        case .done: if !event.name.hasSuffix(".messages") { directions = [:] }
        case .otherEvent: follow(event)
        case .messageList: list(event)
        case .rows: shown.apply(event)
        case .streamText: if let key = event.key { streamed.insert(key) }
        default:
            guard event.name == "view.conversation" || event.name == "scroll.anchor" else { return }
            shown.apply(event)
            if event.name == "scroll.anchor" { anchor = shown.text("scroll.anchor") }
            changed = (event.time, event.index)
        }
    }

    private mutating func follow(_ event: TraceEvent) {
        switch event.name {
        case "client.transition": if let slide = event.fields?["direction"]?.stringValue { slides.append(slide) }
        case "client.scrolled":
            hasScrolled = true
            let cause = event.fields?["cause"]?.stringValue ?? ""
            if cause == "user" || cause == "own_message" { hasUserScrolled = true }
            guard let anchor, ["new_message", "history"].contains(cause) else { return anchor = nil }
            record.violate(
                "the list moved to its end for \(cause) at \(event.time), although the user was at message \(anchor)",
                events: [event.index]
            )
        default: break
        }
    }

    private mutating func list(_ event: TraceEvent) {
        guard let key = event.key else { return }
        let before = shown.list("conversation.messages", key).last
        shown.apply(event)
        record.recordCheck()
        guard let before, lost[key] == nil, shown.list("conversation.messages", key).last != before else { return }
        lost[key] = (before, event.index)
        changed = (event.time, event.index)
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let now = changed else { return }
        changed = nil
        for (key, loss) in lost.sorted(by: { $0.key < $1.key })
        where !shown.list("conversation.messages", key).contains(loss.message)
            && !(loss.message.stringValue.map(streamed.contains) ?? false)
        {
            record.violate(
                "conversation.messages[\(key)] lost its newest message \(loss.message.readable) at \(now.time)",
                events: [loss.event]
            )
        }
        lost = [:]
        let next = shown.text("view.conversation")
        if next != open { turn(to: next, now) }
        place = shown.text("scroll.anchor")
        (hasScrolled, hasUserScrolled, slides) = (false, false, [])
    }

    private mutating func turn(to next: String?, _ now: (time: Instant, event: Int)) {
        if let open { places[open] = hasUserScrolled ? nil : place }
        if let open, let next, slides.count == 1, let direction = slides.first {
            directions["\(open) \(next)"] = direction
            if directions["\(next) \(open)"] == direction {
                record.violate(
                    "the screen slid \(direction) from \(open) to \(next) at \(now.time), as on the way back",
                    events: [now.event]
                )
            }
        }
        if let next, let expected = places[next], !hasScrolled, shown.text("scroll.anchor") != expected,
            shown.list("conversation.messages", next).contains(.string(expected))
        {
            record.violate(
                "scroll.anchor was \(shown["scroll.anchor"]?.readable ?? "null") when \(next) was opened again at "
                    + "\(now.time); the user had left it at \(expected)",
                events: [now.event]
            )
        }
        open = next
    }
}
