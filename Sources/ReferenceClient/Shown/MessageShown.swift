import SquallCore

/// The values of the observable `message.status`.
enum MessageStatus: String, CaseIterable {
    case queued, sending, delivered, failed, deleted
}

/// The appearance of one of the user's messages.
struct MessageLook {
    let status: MessageStatus
    /// The icon's name, `clock` or `exclamation`; nil for no icon.
    let icon: String?
    let tone: Tone?
    let hint: String?
    let canRetry: Bool
}

extension MessageLook {
    /// Derives the appearance from the message's outbox entry, which is nil for a delivered message.
    ///
    /// A delivered message has no icon (catalogue C-43).
    init(_ entry: OutboxEntry?, _ rules: Rules) {
        let texts = rules.profile.text.message
        switch entry?.status {
        case nil:
            let icon = rules.policy.shown.delivered == .keepsTheClock ? "clock" : nil
            self.init(status: .delivered, icon: icon, tone: nil, hint: nil, canRetry: false)
        case .sending where rules.policy.shown.written == .asDelivered && entry?.wasWritten == true:
            self.init(status: .delivered, icon: nil, tone: nil, hint: nil, canRetry: false)
        case .sending, .stuck:
            self.init(status: .sending, icon: "clock", tone: .grey, hint: nil, canRetry: false)
        case .queued where rules.policy.shown.status == .isUnclear,
            .failed where rules.policy.shown.status == .isUnclear:
            self.init(status: .sending, icon: "clock", tone: .grey, hint: nil, canRetry: true)
        case .queued:
            let tone: Tone = rules.profile.send.queuedTone == .orange ? .orange : .amber
            self.init(status: .queued, icon: "clock", tone: tone, hint: texts.queued, canRetry: false)
        case .failed where rules.policy.shown.failure == .isHidden:
            self.init(status: .sending, icon: "clock", tone: .grey, hint: nil, canRetry: false)
        case .failed where entry?.image?.trouble != nil && rules.policy.media.errors == .areUnclear:
            self.init(status: .failed, icon: "exclamation", tone: .red, hint: nil, canRetry: false)
        case .failed(let canRetry) where entry?.image?.trouble != nil:
            let hint = canRetry ? texts.imageFailed : texts.imageRefused
            self.init(status: .failed, icon: "exclamation", tone: .red, hint: hint, canRetry: canRetry)
        case .failed(let canRetry):
            let hint = canRetry ? texts.failed : texts.refused
            self.init(status: .failed, icon: "exclamation", tone: .red, hint: hint, canRetry: canRetry)
        }
    }
}
