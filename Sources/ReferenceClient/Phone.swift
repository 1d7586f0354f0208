package import ChatWire

/// What the app finds on its phone when it starts.
package struct Phone: Sendable {
    /// Whether the system says that there is a network.
    package var hasNetwork: Bool
    /// What the transfer service still has of an earlier life.
    package var transfers: [String]
    /// The push service's name for the app on this phone; nil where it has given none.
    package var token: String?
    /// Nil where the app was never allowed or forbidden to notify.
    package var permission: PushPermission?
    /// The notification whose tap has started the app.
    package var launchedBy: Push?

    package init(
        hasNetwork: Bool = true,
        transfers: [String] = [],
        token: String? = nil,
        permission: PushPermission? = nil,
        launchedBy: Push? = nil
    ) {
        self.hasNetwork = hasNetwork
        self.transfers = transfers
        self.token = token
        self.permission = permission
        self.launchedBy = launchedBy
    }
}

/// What a client wants of its phone, beside what it wants of the network.
package enum PhoneRequest: Hashable, Sendable {
    /// Handles a push in the way that it is given to the user.
    indirect case notify(PhoneNotification, [Presentation])
    /// No notification of this app is on the phone any more.
    case clearNotifications
    /// Whose notifications are shown from now on, whether the app runs or not; nil for nobody's.
    case showNotifications(of: String?)
    /// What the partner of a conversation is called, wherever the phone speaks of it, until nobody's notifications are shown.
    case callPartner(of: String, String)
    /// Whether the app may notify; ``ChatWire/ClientCommand/permission(_:)`` comes back.
    case readPermission
}

/// The ways in which a phone lets its user know of a notification.
package enum Presentation: String, Hashable, Sendable, CaseIterable {
    case banner, sound, badge
}
