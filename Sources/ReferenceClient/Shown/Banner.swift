import SquallCore

/// What `banner.kind` shows.
enum BannerKind: String, CaseIterable {
    case reconnecting, polling, offline
    case captivePortal = "captive_portal"
    case error, unavailable
    case rateLimited = "rate_limited"
    case version
}

/// What `banner.action` shows: the way out of what the banner tells.
enum BannerAction: String, CaseIterable {
    /// Nothing to do: the client mends it.
    case wait
    /// The same once more.
    case retry
    /// Something else than what was sent: the server will not take this.
    case change
    /// Another key.
    case reauthenticate
    /// The login of the network in between.
    case login
    /// A network.
    case connect
    /// A newer app.
    case update
}

/// What `banner.placement` shows.
enum BannerPlacement: String, CaseIterable {
    /// Above the list, wherever that is scrolled to.
    case overlay
    /// At the end of the list.
    case list
}

/// The colours of badge, banner and rows.
enum Tone: String, CaseIterable {
    case green, yellow, amber, red, grey, blue, orange
}

/// The one banner over the messages: the worst of what hinders the user now.
struct Banner: Equatable {
    let kind: BannerKind
    let text: String
    let tone: Tone
    let action: BannerAction
}

extension Client {
    /// Nil where nothing hinders, or the user has put it away.
    var banner: Banner? {
        mutating get {
            let due = dueBanner
            return notices.showing(due)
        }
    }

    func placement(of banner: Banner) -> BannerPlacement {
        banner.kind == .error && rules.policy.shown.placement == .inTheList ? .list : .overlay
    }

    /// As if nothing had been put away.
    var dueBanner: Banner? {
        mutating get {
            let banner = connectionBanner ?? errorBanner ?? versionBanner
            guard rules.policy.shown.errors == .lookAlike, let banner, Self.errorKinds.contains(banner.kind) else {
                return banner
            }
            return Banner(kind: banner.kind, text: texts.unavailable, tone: banner.tone, action: .wait)
        }
    }

    /// What the server or the network has refused, and not merely not done yet.
    private static let errorKinds: [BannerKind] = [.error, .rateLimited, .version]

    // Lent, not copied: one is taken of seventeen.
    private var texts: ClientTexts.Banner { _read { yield rules.profile.text.banner } }

    private var connectionBanner: Banner? {
        let tone = connection.tone
        switch connection.state {
        case .idle, .connected, .suspended:
            return nil
        case .reconnecting where connection.isBreaking:
            return Banner(kind: .unavailable, text: texts.unavailable, tone: tone, action: .wait)
        case .connecting, .authenticating, .reconnecting, .draining:
            // A first connection shows that it loads, unless it has failed (catalogue C-39).
            let isFirst = !connection.hasBeenConnected && (!connection.hasFailed || notices.isInGrace)
            guard !isFirst, rules.policy.shown.reconnectBanner == .isShown else { return nil }
            return Banner(kind: .reconnecting, text: texts.reconnecting, tone: tone, action: .wait)
        case .degraded:
            guard rules.policy.shown.degraded == .asItself else { return offlineBanner(tone) }
            guard rules.policy.shown.reconnectBanner == .isShown else { return nil }
            let text = texts.polling.filling("interval", with: rules.profile.poll.interval.label)
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
    /// As badges and banners write it: `30S`.
    var label: String { description.uppercased() }
}
