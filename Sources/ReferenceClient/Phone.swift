package import ChatWire

/// The state of the phone when the app starts.
package struct Phone: Sendable {
    /// Whether the operating system reports a network.
    package var hasNetwork: Bool
    /// The names of the transfers that an earlier process has handed to the transfer service.
    package var transfers: [String]
    /// The push token of the app on this phone; nil if the push service has not issued a token.
    package var token: String?
    /// The notification permission; nil if the user has never been asked.
    package var permission: PushPermission?
    /// The notification that the user tapped to launch the app; nil if the app was started in any other way.
    package var launchedBy: Push?
    /// Whether the screen is locked.
    package var isLocked: Bool
    /// Whether the phone's key storage is locked, as it is after a reboot until the screen is first unlocked.
    package var areKeysLocked: Bool

    package init(
        hasNetwork: Bool = true,
        transfers: [String] = [],
        token: String? = nil,
        permission: PushPermission? = nil,
        launchedBy: Push? = nil,
        isLocked: Bool = false,
        areKeysLocked: Bool = false
    ) {
        self.hasNetwork = hasNetwork
        self.transfers = transfers
        self.token = token
        self.permission = permission
        self.launchedBy = launchedBy
        self.isLocked = isLocked
        self.areKeysLocked = areKeysLocked
    }
}

/// A request from a client to its phone, other than network I/O.
package enum PhoneRequest: Hashable, Sendable {
    /// Presents a notification to the user in the given ways.
    indirect case notify(PhoneNotification, [Presentation])
    /// Removes all of the app's notifications.
    case clearNotifications
    /// From now on, displays only notifications for this user, whether or not the app is running; nil for no
    /// notifications.
    case showNotifications(of: String?)
    /// Sets the name of a conversation's partner for the phone's notifications. The name is valid until notifications
    /// are switched off.
    case callPartner(of: String, String)
    /// Reads the notification permission; ``ChatWire/ClientCommand/permission(_:)`` reports the result.
    case readPermission
    /// Reads the messages that the share extension has left for the app; ``ClientInput/shared(_:)`` reports them.
    case readShared
    /// Removes one of the share extension's messages from the container, because the app has taken it over.
    case removeShared(String)
    /// Asks for notification permission. The phone shows its prompt if the user has never answered it; otherwise it
    /// reports the permission at once. ``ChatWire/ClientCommand/permission(_:)`` reports the result.
    case requestPermission
}

/// A means of presenting a notification: a banner, a sound, or a number on the app's icon.
package enum Presentation: String, Hashable, Sendable, CaseIterable {
    case banner, sound, badge
}
