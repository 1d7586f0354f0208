import SquallCore

/// What `message.status` shows.
enum MessageStatus: String, CaseIterable {
    case queued, sending, delivered, failed, deleted
}

/// How a message of the user looks.
struct MessageLook {
    let status: MessageStatus
    /// `clock` or `exclamation`.
    let icon: String?
    let tone: Tone?
    let hint: String?
    let canRetry: Bool
}

extension MessageLook {
    /// A delivered message has no sign (catalogue C-43); whether it can be retried is told by its status.
    init(_ entry: OutboxEntry?, _ rules: Rules) {
        let texts = rules.profile.text.message
        switch entry?.status {
        case nil:
            self.init(status: .delivered, icon: nil, tone: nil, hint: nil, canRetry: false)
        case .sending, .stuck:
            self.init(status: .sending, icon: "clock", tone: .grey, hint: nil, canRetry: false)
        case .queued where rules.policy.shown.status == .isUnclear,
            .failed where rules.policy.shown.status == .isUnclear:
            self.init(status: .sending, icon: "clock", tone: .grey, hint: nil, canRetry: true)
        case .queued:
            self.init(status: .queued, icon: "clock", tone: .amber, hint: texts.queued, canRetry: false)
        case .failed where rules.policy.shown.failure == .isHidden:
            self.init(status: .sending, icon: "clock", tone: .grey, hint: nil, canRetry: false)
        case .failed where entry?.image?.trouble != nil && rules.policy.media.errors == .areUnclear:
            self.init(status: .failed, icon: "exclamation", tone: .red, hint: nil, canRetry: false)
        case .failed(let canRetry) where entry?.image?.trouble != nil:
            let hint = canRetry ? texts.imageFailed : texts.imageRefused
            self.init(status: .failed, icon: "exclamation", tone: .red, hint: hint, canRetry: canRetry)
        case .failed(let canRetry):
            self.init(status: .failed, icon: "exclamation", tone: .red, hint: texts.failed, canRetry: canRetry)
        }
    }
}
