// Written from the registry by the tests of SquallTesting; run them with RECORD=1 to write it again.

/// The observables and events of the registry that a client reports.
extension ObservableName {
    /// Whether the phone reports a network.
    public static var networkReachable: Self { "network.reachable" }
    /// Whether a captive portal responds instead of the server.
    public static var networkCaptive: Self { "network.captive" }
    /// The state of the connection.
    public static var connectionState: Self { "connection.state" }
    /// The transport that currently carries messages.
    public static var connectionTransport: Self { "connection.transport" }
    /// The server of the last attempt; null before the first.
    public static var connectionHost: Self { "connection.host" }
    /// The badge's text, from the profile's table.
    public static var connectionLabel: Self { "connection.label" }
    /// The badge's colour.
    public static var connectionTone: Self { "connection.tone" }
    /// The number of failed attempts since the last reset.
    public static var connectionAttempt: Self { "connection.attempt" }
    /// The reason why the last attempt or connection ended; null while connected.
    public static var connectionLastError: Self { "connection.last_error" }
    /// The number of open byte streams to the server.
    public static var connectionOpenSockets: Self { "connection.open_sockets" }
    /// The full delay before the next attempt, not the time remaining; null if none is scheduled.
    public static var connectionNextAttemptIn: Self { "connection.next_attempt_in" }
    /// The round-trip time of the last answered ping; null if there is none.
    public static var connectionRtt: Self { "connection.rtt" }
    /// The quality of the connection, judged by its pings.
    public static var connectionQuality: Self { "connection.quality" }
    /// Whether the server has accepted the key on this connection.
    public static var authAuthenticated: Self { "auth.authenticated" }
    /// Whether the user has to enter another key.
    public static var authRequiresReauth: Self { "auth.requires_reauth" }
    /// The warning about a newer server; null if there is none.
    public static var authVersionWarning: Self { "auth.version_warning" }
    /// An attempt to connect has begun; attempts are numbered since the last reset.
    public static var clientAttemptBegan: Self { "client.attempt.began" }
    /// An attempt to connect has failed or was abandoned; `retry_after` is the delay requested by the server.
    public static var clientAttemptFailed: Self { "client.attempt.failed" }
    /// The handshake is complete.
    public static var clientConnected: Self { "client.connected" }
    /// A connection whose handshake was complete has ended.
    public static var clientDisconnected: Self { "client.disconnected" }
    /// The delay before an attempt has begun; numbered from 1 since the last reset.
    public static var clientBackoffBegan: Self { "client.backoff.began" }
    /// The delay before an attempt was cancelled.
    public static var clientBackoffCancelled: Self { "client.backoff.cancelled" }
    /// The client has used up its attempts.
    public static var clientGaveUp: Self { "client.gave_up" }
    /// The client has ignored a frame of an unknown type.
    public static var clientUnknownFrame: Self { "client.unknown_frame" }
    /// The client has ignored a message that is not a valid frame.
    public static var clientMalformedFrame: Self { "client.malformed_frame" }
    /// The sequence number up to which the client has received every message; null before the first connection.
    public static var syncLastSequence: Self { "sync.last_sequence" }
    /// Whether missed messages are being fetched.
    public static var syncInFlight: Self { "sync.in_flight" }
    /// Whether the client polls over HTTP instead of using the WebSocket.
    public static var pollActive: Self { "poll.active" }
    /// The client has detected missing sequence numbers.
    public static var clientGapDetected: Self { "client.gap_detected" }
    /// The number of the user's messages that the server has not confirmed.
    public static var outboxCount: Self { "outbox.count" }
    /// The header's text about queued messages; null if there are none.
    public static var outboxHeaderText: Self { "outbox.header_text" }
    /// The client has accepted a message of the user, which must not be lost from then on.
    public static var clientAccepted: Self { "client.accepted" }
    /// The number of the user's files that are not completely uploaded.
    public static var uploadsPending: Self { "uploads.pending" }
    /// The state of the file's upload.
    public static var uploadState: Self { "upload.state" }
    /// The percentage of the file that the server has confirmed.
    public static var uploadProgress: Self { "upload.progress" }
    /// The size of a chunk in bytes; null before the first file.
    public static var uploadChunkSize: Self { "upload.chunk_size" }
    /// The client has accepted a file of the user, which must not be lost from then on.
    public static var clientShared: Self { "client.shared" }
    /// The client has handed the file to the phone's transfer service.
    public static var clientHandedOver: Self { "client.handed_over" }
    /// The server has confirmed that it has the whole file.
    public static var clientUploaded: Self { "client.uploaded" }
    /// The open conversation; null if there is none.
    public static var viewConversation: Self { "view.conversation" }
    /// The state of the conversation view.
    public static var viewPhase: Self { "view.phase" }
    /// The messages on the screen, in the order shown.
    public static var viewRows: Self { "view.rows" }
    /// The messages of the conversation, in the order shown.
    public static var conversationMessages: Self { "conversation.messages" }
    /// The text of the message.
    public static var messageText: Self { "message.text" }
    /// Milliseconds since 1970, by the phone's clock until the server confirms the message, then by the server's.
    public static var messageTimestamp: Self { "message.timestamp" }
    /// The delivery status of the user's message.
    public static var messageStatus: Self { "message.status" }
    /// The status icon of the message; null once delivered.
    public static var messageIcon: Self { "message.icon" }
    /// Whether the clock of the message pulses, which it does while the message is being sent.
    public static var messageIconPulses: Self { "message.icon_pulses" }
    /// The colour of the status icon; null once delivered.
    public static var messageTone: Self { "message.tone" }
    /// The hint below the message; null if there is none.
    public static var messageHint: Self { "message.hint" }
    /// Whether a tap sends the message again.
    public static var messageRetryAvailable: Self { "message.retry_available" }
    /// Whether another user has read the user's message.
    public static var messageRead: Self { "message.read" }
    /// The text received so far of a streamed message; null once it is complete.
    public static var streamText: Self { "stream.text" }
    /// Whether pages are being fetched for a refresh by the user or to fill a gap.
    public static var refreshInFlight: Self { "refresh.in_flight" }
    /// A message that the client already had has arrived again and was ignored.
    public static var clientDroppedDuplicate: Self { "client.dropped_duplicate" }
    /// A refresh has begun, by the `user` or to fill a `gap`.
    public static var clientRefreshBegan: Self { "client.refresh.began" }
    /// A refresh has succeeded or failed; `added` messages were new.
    public static var clientRefreshEnded: Self { "client.refresh.ended" }
    /// The phone has given haptic feedback: `success` or `failure`.
    public static var clientHaptic: Self { "client.haptic" }
    /// The users who are typing in the conversation.
    public static var peerTyping: Self { "peer.typing" }
    /// The problem that the banner reports; null if there is no banner.
    public static var bannerKind: Self { "banner.kind" }
    /// The banner's text; null if there is no banner.
    public static var bannerText: Self { "banner.text" }
    /// The banner's colour; null if there is no banner.
    public static var bannerTone: Self { "banner.tone" }
    /// The action that resolves the problem that the banner reports; null if there is no banner.
    public static var bannerAction: Self { "banner.action" }
    /// Whether the banner is above the list or at its end; null if there is no banner.
    public static var bannerPlacement: Self { "banner.placement" }
    /// Whether a banner is visible at the current scroll position.
    public static var bannerInSight: Self { "banner.in_sight" }
    /// The toast's text; null if there is no toast.
    public static var toastText: Self { "toast.text" }
    /// The alert's title; null if there is no alert.
    public static var alertTitle: Self { "alert.title" }
    /// The alert's text; null if there is no alert.
    public static var alertText: Self { "alert.text" }
    /// The labels of the alert's buttons; empty if there is no alert.
    public static var alertActions: Self { "alert.actions" }
    /// The client has opened a URL in another app.
    public static var clientOpenedUrl: Self { "client.opened_url" }
    /// The number of attempts to connect that have succeeded or failed.
    public static var metricsAttempts: Self { "metrics.attempts" }
    /// The number of attempts that led to a connection.
    public static var metricsConnections: Self { "metrics.connections" }
    /// The percentage of attempts that led to a connection; null before the first has ended.
    public static var metricsSuccessPercent: Self { "metrics.success_percent" }
    /// The mean time from a lost connection to the next one; null before the first.
    public static var metricsMeanReconnect: Self { "metrics.mean_reconnect" }
    /// The mean time from the user's tap to the server's confirmation; null before the first.
    public static var metricsMeanDelivery: Self { "metrics.mean_delivery" }
    /// The mean latency of changes of presence; absent before the first was measured.
    public static var metricsMeanPresence: Self { "metrics.mean_presence" }
    /// The 95th percentile of the latency of changes of presence; absent before the first was measured.
    public static var metricsPresenceP95: Self { "metrics.presence_p95" }
    /// The ids of commands that the server has started, in the order of their start.
    public static var commandsStarted: Self { "commands.started" }
    /// The number of commands in flight that the server has not answered.
    public static var commandsUnanswered: Self { "commands.unanswered" }
    /// A request to the health route has failed or timed out.
    public static var clientRequestFailedHealth: Self { "client.request_failed.health" }
    /// A request to the conversations route has failed or timed out.
    public static var clientRequestFailedConversations: Self { "client.request_failed.conversations" }
    /// A request to the messages route has failed or timed out.
    public static var clientRequestFailedMessages: Self { "client.request_failed.messages" }
    /// A request to the send route has failed or timed out.
    public static var clientRequestFailedSend: Self { "client.request_failed.send" }
    /// A request to the mark_read route has failed or timed out.
    public static var clientRequestFailedMarkRead: Self { "client.request_failed.mark_read" }
    /// A request to the upload route has failed or timed out.
    public static var clientRequestFailedUpload: Self { "client.request_failed.upload" }
    /// A request to the unread route has failed or timed out.
    public static var clientRequestFailedUnread: Self { "client.request_failed.unread" }
    /// A request to the agents route has failed or timed out.
    public static var clientRequestFailedAgents: Self { "client.request_failed.agents" }
    /// A request to the delete route has failed or timed out.
    public static var clientRequestFailedDelete: Self { "client.request_failed.delete" }
    /// A request to the media route has failed or timed out.
    public static var clientRequestFailedMedia: Self { "client.request_failed.media" }
    /// A request to the thumbnail route has failed or timed out.
    public static var clientRequestFailedThumbnail: Self { "client.request_failed.thumbnail" }
    /// A request to the push_token route has failed or timed out.
    public static var clientRequestFailedPushToken: Self { "client.request_failed.push_token" }
    /// A request to the conversation route has failed or timed out.
    public static var clientRequestFailedConversation: Self { "client.request_failed.conversation" }
    /// The app's process has crashed.
    public static var clientCrashed: Self { "client.crashed" }
    /// The client delays its start until the phone allows it to read its key.
    public static var clientKeyUnreadable: Self { "client.key_unreadable" }
    /// Signing out: the client asks the server to remove the push token.
    public static var clientSignOutToken: Self { "client.sign_out.token" }
    /// Signing out: the client clears the state of the user's screen and notifications.
    public static var clientSignOutState: Self { "client.sign_out.state" }
    /// Signing out: the client closes the connection and deletes the key.
    public static var clientSignOutSession: Self { "client.sign_out.session" }
    /// Signing out: the client deletes the user's name.
    public static var clientSignOutUser: Self { "client.sign_out.user" }
    /// The push token could not be removed from the server; signing out continues with this warning.
    public static var clientSignOutTokenLeft: Self { "client.sign_out.token_left" }
    /// A user has signed in.
    public static var clientSignedIn: Self { "client.signed_in" }
    /// The user has signed out.
    public static var clientSignedOut: Self { "client.signed_out" }
    /// The open conversation according to the app's state; null if there is none.
    public static var appViewing: Self { "app.viewing" }
    /// The signed-in user according to the app's state; null if there is none.
    public static var appUser: Self { "app.user" }
    /// Whether a sign-out is in progress.
    public static var appSigningOut: Self { "app.signing_out" }
    /// The state of the registration of the phone's push token with the server.
    public static var pushTokenState: Self { "push_token.state" }
    /// An attempt to save the push token has begun; attempts count from 1.
    public static var clientPushTokenTried: Self { "client.push_token.tried" }
    /// An attempt to save the push token has failed.
    public static var clientPushTokenFailed: Self { "client.push_token.failed" }
    /// The server has saved the push token.
    public static var clientPushTokenSaved: Self { "client.push_token.saved" }
    /// All attempts to save the push token have failed; the next one follows at the next launch.
    public static var clientPushTokenGivenUp: Self { "client.push_token.given_up" }
    /// The phone's permission to show notifications, as the app has last read it.
    public static var permissionState: Self { "permission.state" }
    /// The text of the banner for denied notifications; null if there is no banner.
    public static var permissionBannerText: Self { "permission.banner_text" }
    /// The label of the button on the banner for denied notifications; null if there is no banner.
    public static var permissionBannerAction: Self { "permission.banner_action" }
    /// The colour of the banner for denied notifications; null if there is no banner.
    public static var permissionBannerTone: Self { "permission.banner_tone" }
    /// The icon of the banner for denied notifications; null if there is no banner.
    public static var permissionBannerIcon: Self { "permission.banner_icon" }
    /// The accessibility label of the banner for denied notifications; null if there is no banner.
    public static var permissionBannerLabel: Self { "permission.banner_label" }
    /// A notification is shown to the user, in the ways listed in `presentation`.
    public static var clientNotified: Self { "client.notified" }
    /// A push for the conversation on the screen is not shown as a notification.
    public static var clientNotificationSuppressed: Self { "client.notification_suppressed" }
    /// The messages of the notifications on the phone, newest last.
    public static var notifications: Self { "notifications" }
    /// The notification's id.
    public static var notificationId: Self { "notification.id" }
    /// The notification's title.
    public static var notificationTitle: Self { "notification.title" }
    /// The notification's text.
    public static var notificationBody: Self { "notification.body" }
    /// The group to which the notification belongs; null if there is none.
    public static var notificationThread: Self { "notification.thread" }
    /// The notification's category, which determines its buttons.
    public static var notificationCategory: Self { "notification.category" }
    /// The labels of the notification's buttons.
    public static var notificationActions: Self { "notification.actions" }
    /// How the notification was presented: `banner`, `sound`, `badge`; empty if it was suppressed.
    public static var notificationPresentation: Self { "notification.presentation" }
    /// The summary of a group of notifications; null if the group has fewer than two.
    public static var notificationSummary: Self { "notification.summary" }
    /// The conversation of a tapped notification until it is on the screen; null if there is none.
    public static var deepLinkPending: Self { "deep_link.pending" }
    /// The reason why the conversation of a tapped notification cannot be shown; null if there is no error.
    public static var deepLinkError: Self { "deep_link.error" }
    /// The error text for a tapped notification; null if there is none.
    public static var deepLinkText: Self { "deep_link.text" }
    /// A tapped notification has opened its conversation.
    public static var clientDeepLinkOpened: Self { "client.deep_link.opened" }
    /// The conversation of a tapped notification could not be opened.
    public static var clientDeepLinkFailed: Self { "client.deep_link.failed" }
    /// The message that is briefly highlighted; null if there is none.
    public static var highlightTarget: Self { "highlight.target" }
    /// The partner's name in the header; null if there is no conversation.
    public static var viewHeaderName: Self { "view.header_name" }
    /// The text shown while messages are loading; null at any other time.
    public static var viewLoadingText: Self { "view.loading_text" }
    /// Whether the dimmed rows of the previous conversation are shown.
    public static var viewStale: Self { "view.stale" }
    /// The text of an empty conversation; null if it is not empty.
    public static var viewEmptyText: Self { "view.empty_text" }
    /// The messages that an empty conversation suggests.
    public static var viewSuggestions: Self { "view.suggestions" }
    /// The presence of an empty conversation's partner; null if it is not empty or the partner is unknown.
    public static var viewPartnerStatus: Self { "view.partner_status" }
    /// When an empty conversation's partner was last seen; null if it is not empty or the partner is present.
    public static var viewPartnerLastSeen: Self { "view.partner_last_seen" }
    /// The description of an empty conversation's partner; null if it is not empty or the partner is unknown.
    public static var viewPartnerAbout: Self { "view.partner_about" }
    /// The text in the input field, once the field has been used.
    public static var composerText: Self { "composer.text" }
    /// The screen has slid `left`, to a conversation further down the list, or `right`, to one further up.
    public static var clientTransition: Self { "client.transition" }
    /// Whether the conversation has older messages that have not loaded.
    public static var historyHasMore: Self { "history.has_more" }
    /// The text of the control above the oldest message; null if there is no control.
    public static var historyControlText: Self { "history.control_text" }
    /// Whether a request for older messages is in flight.
    public static var historyInFlight: Self { "history.in_flight" }
    /// A page of older messages was requested.
    public static var clientHistoryBegan: Self { "client.history.began" }
    /// A request for older messages has succeeded or failed; `added` messages were new.
    public static var clientHistoryEnded: Self { "client.history.ended" }
    /// The search for a message has ended: `found`, `not_there`, `failed` to fetch a page, or `given_up`.
    public static var clientSearchEnded: Self { "client.search.ended" }
    /// The first visible message of the open conversation; null at its end. Reported from the first scroll on.
    public static var scrollAnchor: Self { "scroll.anchor" }
    /// The list has scrolled to its `end` or to a `message`; `cause` is `user`, `new_message`, `own_message`, `history`
    /// or `target`.
    public static var clientScrolled: Self { "client.scrolled" }
    /// The message below the separator, the first one that arrived unseen; null if there is no separator.
    public static var newMarkerBefore: Self { "new_marker.before" }
    /// The number of messages below the separator.
    public static var newMarkerCount: Self { "new_marker.count" }
    /// The number of the conversation's unread messages.
    public static var unread: Self { "unread" }
    /// Whether the conversation's view is on the screen.
    public static var viewActive: Self { "view.active" }
    /// The total of unread messages on the app's icon; reported once there was one or the list was opened.
    public static var badgeApp: Self { "badge.app" }
    /// A conversation no longer has unread messages.
    public static var clientConversationRead: Self { "client.conversation_read" }
    /// The list of conversations, the one with the newest message first; reported once the list was opened.
    public static var listConversations: Self { "list.conversations" }
    /// The text of the conversation's newest message in the list; null if there is none.
    public static var listPreview: Self { "list.preview" }
    /// The text of the conversation's badge in the list; null if there is no badge.
    public static var badgeText: Self { "badge.text" }
    /// The badge's colour; null if there is no badge.
    public static var badgeTone: Self { "badge.tone" }
    /// The presence of another user.
    public static var peerPresence: Self { "peer.presence" }
    /// The time at which the user was last seen, as text; null while the user is present. Reported once the list was
    /// opened.
    public static var peerLastSeen: Self { "peer.last_seen" }
    /// The partner's presence in the list of conversations; null in a group.
    public static var listPresence: Self { "list.presence" }
    /// The colour of the presence dot in the list of conversations; null in a group.
    public static var listTone: Self { "list.tone" }
    /// The partner's presence in the header of the open conversation; null in a group.
    public static var headerPresence: Self { "header.presence" }
    /// The colour of the presence dot in the header; null in a group.
    public static var headerTone: Self { "header.tone" }
    /// The partner's status text in the header, or a neutral text; null if there is no conversation.
    public static var headerSubtitle: Self { "header.subtitle" }
    /// Whether a user is typing in the open conversation.
    public static var headerTyping: Self { "header.typing" }
    /// The number of present members of the open group; null outside groups, or if a presence is out of date.
    public static var headerOnline: Self { "header.online" }
    /// The members of the open group, those who are present first; empty outside groups.
    public static var headerMembers: Self { "header.members" }
    /// The presence of a user in a group's list of members.
    public static var memberPresence: Self { "member.presence" }
    /// The shown presence of a user has changed; `latency` is the age of the change.
    public static var clientPresenceChanged: Self { "client.presence_changed" }
    /// The presence of users could not be fetched, so no user is shown as present.
    public static var clientPresenceUnavailable: Self { "client.presence_unavailable" }
    /// The age of a message of the open conversation by the server's clock; absent unless times are shown.
    public static var messageTimeText: Self { "message.time_text" }
    /// The heading above the first message of a day; null for other messages, absent unless times are shown.
    public static var messageDay: Self { "message.day" }
    /// The message's timestamp to the second, reported once the message has been long-pressed.
    public static var messageExactTime: Self { "message.exact_time" }
    /// The file name of the image in the preview; null if there is none.
    public static var previewFile: Self { "preview.file" }
    /// The size in bytes at which the image in the preview would be sent; null if there is none.
    public static var previewBytes: Self { "preview.bytes" }
    /// The source of the image in the preview; null if there is none.
    public static var previewSource: Self { "preview.source" }
    /// The percentage of the user's image that the server has confirmed.
    public static var imageProgress: Self { "image.progress" }
    /// The state of the image in its bubble.
    public static var imageState: Self { "image.state" }
    /// The width of the image's bubble in points, with the image's aspect ratio.
    public static var imageWidth: Self { "image.width" }
    /// The height of the image's bubble in points, with the image's aspect ratio.
    public static var imageHeight: Self { "image.height" }
    /// The size of the image cache in bytes.
    public static var imageCacheBytes: Self { "image_cache.bytes" }
    /// The user has chosen an image, which the preview shows.
    public static var clientAttached: Self { "client.attached" }
    /// The actions in the message's menu; empty while the menu is closed.
    public static var menuActions: Self { "menu.actions" }
    /// The explanation of the message's status in its menu; null while the menu is closed.
    public static var menuExplanation: Self { "menu.explanation" }
    /// The question in the dialog; null if there is no dialog.
    public static var dialogText: Self { "dialog.text" }
    /// The labels of the dialog's buttons; empty if there is no dialog.
    public static var dialogActions: Self { "dialog.actions" }
    /// The dialog's colour; null if there is no dialog.
    public static var dialogTone: Self { "dialog.tone" }
    /// The number of the user's deletions that the server has not confirmed.
    public static var deletionsPending: Self { "deletions.pending" }
    /// Whether the message is shown as deleted, by a placeholder.
    public static var messageDeleted: Self { "message.deleted" }
    /// Whether the user can still undo the message's deletion.
    public static var messageUndoAvailable: Self { "message.undo_available" }
    /// The kind of content that the message shows; reported only if it is, or once was, not plain text.
    public static var messageKind: Self { "message.kind" }
    /// The user has confirmed the deletion of the message.
    public static var clientDeleteBegan: Self { "client.delete.began" }
    /// The user has undone the deletion of the message.
    public static var clientDeleteUndone: Self { "client.delete.undone" }
    /// The server has confirmed the deletion, or has rejected it and the message is shown again.
    public static var clientDeleteEnded: Self { "client.delete.ended" }
    /// The number of images of the user that were uploaded; absent before the first upload has ended.
    public static var metricsImages: Self { "metrics.images" }
    /// The percentage of ended image uploads that succeeded.
    public static var metricsImageSuccessPercent: Self { "metrics.image_success_percent" }
    /// The mean time from the user's tap until the server has the image; null before the first.
    public static var metricsMeanImageUpload: Self { "metrics.mean_image_upload" }
    /// The number of the user's deletions that the server has confirmed; absent before the first has ended.
    public static var metricsDeletions: Self { "metrics.deletions" }
    /// The percentage of ended deletions that succeeded.
    public static var metricsDeletionSuccessPercent: Self { "metrics.deletion_success_percent" }
    /// The percentage of the server's unread counts that equal the client's own; absent before the first.
    public static var metricsBadgeAccuracyPercent: Self { "metrics.badge_accuracy_percent" }
    /// The percentage of deliveries after a wait or a failure that succeeded; absent before the first.
    public static var metricsRetrySuccessPercent: Self { "metrics.retry_success_percent" }
    /// The client has refused a command; `definite` says whether it was certainly not carried out.
    public static var clientRefused: Self { "client.refused" }
    /// A line that the client adds to the report.
    public static var clientLog: Self { "client.log" }
}
