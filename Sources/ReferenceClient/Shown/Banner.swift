import SquallCore

/// The values of the observable `banner.kind`.
enum BannerKind: String, CaseIterable {
    case reconnecting, polling, offline
    case captivePortal = "captive_portal"
    case error, unavailable
    case rateLimited = "rate_limited"
    case version
}

/// The values of the observable `banner.action`: what the user can do about the problem that the banner reports.
enum BannerAction: String, CaseIterable {
    /// The user need not act: the client recovers by itself.
    case wait
    /// The user can repeat the action that has failed.
    case retry
    /// The user must change the message, file or link, because the same action would fail again.
    case change
    /// The user must sign in with another API key.
    case reauthenticate
    /// The user must log in to the captive portal.
    case login
    /// The user must connect the phone to a network.
    case connect
    /// The user must install a newer version of the app.
    case update
}

/// The values of the observable `banner.placement`.
enum BannerPlacement: String, CaseIterable {
    /// The banner is above the list, regardless of the list's scroll position.
    case overlay
    /// The banner is a row of the list, above the first message or below the last.
    case list
}

/// The colours of badges, banners and message rows.
enum Tone: String, CaseIterable {
    case green, yellow, amber, red, grey, blue, orange
}

/// The banner above the messages; it reports the most severe of the current problems.
struct Banner: Equatable {
    let kind: BannerKind
    let text: String
    let tone: Tone
    let action: BannerAction
}

extension Client {
    /// The banner to display; nil if there is no problem, or if the user has dismissed the banner.
    var banner: Banner? {
        mutating get {
            let due = dueBanners
            return notices.showing(due)
        }
    }

    /// Whether a banner is visible: one below the last message is hidden while the user reads older messages, and one
    /// above the first message while the user reads the newest ones.
    ///
    /// The getter is `mutating` only to avoid copying the storage; it does not change any state.
    var isBannerInSight: Bool {
        mutating get {
            let isAtEnd = conversations.open.map { scroll.isAtEnd($0) } ?? true
            return switch rules.policy.shown.placement {
            case .aboveTheList: true
            case .firstInTheList: !isAtEnd
            case .lastInTheList: isAtEnd
            }
        }
    }

    func pulses(_ banner: Banner) -> Bool {
        banner.kind == .reconnecting && rules.profile.banner.style == .prominent
            && rules.policy.shown.bannerPulse == .whileReconnecting
    }

    var bannerPlacement: BannerPlacement {
        rules.policy.shown.placement == .aboveTheList ? .overlay : .list
    }

    /// The banners for the current problems, most severe first, whether or not the user has dismissed them.
    var dueBanners: [Banner] {
        mutating get {
            // While the client polls, most actions succeed, so an error takes precedence over the connection's banner.
            let isPolling = connection.state == .degraded && rules.policy.shown.degraded == .asItself
            let (first, second) = isPolling ? (errorBanner, connectionBanner) : (connectionBanner, errorBanner)
            let banners = [first, second, versionBanner].compactMap(\.self)
            guard rules.policy.shown.errors == .lookAlike else { return banners }
            let text = texts.unavailable
            return banners.map {
                guard Self.errorKinds.contains($0.kind) else { return $0 }
                return Banner(kind: $0.kind, text: text, tone: $0.tone, action: .wait)
            }
        }
    }

    /// The kinds of banners that report an error rather than an operation in progress.
    private static let errorKinds: [BannerKind] = [.error, .rateLimited, .version]

    // Yields the strings instead of returning them: a getter would copy all of them even though only one is used.
    private var texts: ClientTexts.Banner { _read { yield rules.profile.text.banner } }

    private var connectionBanner: Banner? {
        let tone = connection.tone
        switch connection.state {
        case .idle, .connected, .suspended:
            return nil
        case .reconnecting where connection.isBreaking:
            return Banner(kind: .unavailable, text: texts.unavailable, tone: tone, action: .wait)
        case .connecting, .authenticating, .reconnecting, .draining:
            // The first connection is displayed as loading, unless it has failed (catalogue C-39).
            let isFirst = !connection.hasBeenConnected && (!connection.hasFailed || notices.isInGrace)
            guard !isFirst, rules.policy.shown.reconnectBanner == .isShown else { return nil }
            return Banner(kind: .reconnecting, text: texts.reconnecting, tone: tone, action: .wait)
        case .degraded:
            guard rules.policy.shown.degraded == .asItself else { return offlineBanner(tone) }
            guard rules.policy.shown.reconnectBanner == .isShown else { return nil }
            let isFixed = rules.policy.shown.interval == .isFixed
            let interval = isFixed ? "30S" : rules.profile.poll.interval.label
            let text = texts.polling.filling("interval", with: interval)
            return Banner(kind: .polling, text: text, tone: tone, action: .wait)
        case .offline:
            return offlineBanner(tone)
        case .captivePortal:
            return Banner(kind: .captivePortal, text: texts.captivePortal, tone: tone, action: .login)
        case .authRequired:
            let text = connection.credentials.isMissing ? texts.keyMissing : texts.keyRefused
            return Banner(kind: .error, text: text, tone: tone, action: .reauthenticate)
        case .unavailable:
            return Banner(kind: .unavailable, text: texts.unavailable, tone: tone, action: .retry)
        }
    }

    private func offlineBanner(_ tone: Tone) -> Banner {
        let count = rules.policy.shown.queueCount == .isShown ? outbox.queuedCount : 0
        let text = count > 0 ? texts.offlineQueued : texts.offline
        return Banner(
            kind: .offline,
            text: text.filling("count", with: String(count)),
            tone: tone,
            action: .connect
        )
    }

    private var errorBanner: Banner? {
        if outbox.pausedUntil != nil {
            return Banner(kind: .rateLimited, text: texts.rateLimited, tone: .amber, action: .wait)
        }
        return notices.error.map { Banner(kind: .error, text: $0.text, tone: .red, action: $0.action) }
    }

    private var versionBanner: Banner? {
        versionWarning.map { Banner(kind: .version, text: $0, tone: .amber, action: .update) }
    }

    var versionWarning: String? {
        connection.credentials.newerVersion.map { texts.version.filling("version", with: String($0)) }
    }
}

extension TimeSpan {
    /// The duration as displayed in badges and banners, such as `30S`.
    var label: String { description.uppercased() }
}
