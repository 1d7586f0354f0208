// Written from the registry by the tests of SquallTesting; run them with RECORD=1 to write it again.

/// The observables and events of the registry that a client reports.
extension ObservableName {
    /// Whether the phone reports a network.
    public static var networkReachable: Self { "network.reachable" }
    /// Whether a captive portal answers in the server's place.
    public static var networkCaptive: Self { "network.captive" }
    /// The state of the connection.
    public static var connectionState: Self { "connection.state" }
    /// The transport that carries messages now.
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
    /// The delay before the next attempt, as it began; null for none.
    public static var connectionNextAttemptIn: Self { "connection.next_attempt_in" }
    /// The round trip of the last ping; null for none.
    public static var connectionRtt: Self { "connection.rtt" }
    /// The quality of the connection, judged by its pings.
    public static var connectionQuality: Self { "connection.quality" }
    /// Whether the server has accepted the key on this connection.
    public static var authAuthenticated: Self { "auth.authenticated" }
    /// Whether the user has to enter another key.
    public static var authRequiresReauth: Self { "auth.requires_reauth" }
    /// The warning about a newer server; null for none.
    public static var authVersionWarning: Self { "auth.version_warning" }
    /// An attempt to connect has begun; numbered since the last reset.
    public static var clientAttemptBegan: Self { "client.attempt.began" }
    /// An attempt to connect has failed or was abandoned.
    public static var clientAttemptFailed: Self { "client.attempt.failed" }
    /// The handshake is complete.
    public static var clientConnected: Self { "client.connected" }
    /// A connection whose handshake was complete has ended.
    public static var clientDisconnected: Self { "client.disconnected" }
    /// The delay before an attempt has begun; numbered from 1 since the last reset.
    public static var clientBackoffBegan: Self { "client.backoff.began" }
    /// The delay before an attempt was cut short.
    public static var clientBackoffCancelled: Self { "client.backoff.cancelled" }
    /// The client has used up its attempts.
    public static var clientGaveUp: Self { "client.gave_up" }
    /// The client has ignored a frame of an unknown type.
    public static var clientUnknownFrame: Self { "client.unknown_frame" }
    /// The client has ignored a message that is not a valid frame.
    public static var clientMalformedFrame: Self { "client.malformed_frame" }
    /// The sequence up to which the client has seen every message; null before the first connection.
    public static var syncLastSequence: Self { "sync.last_sequence" }
    /// Whether missed messages are being fetched.
    public static var syncInFlight: Self { "sync.in_flight" }
    /// Whether the client polls over HTTP in place of the socket.
    public static var pollActive: Self { "poll.active" }
    /// The client has detected missing sequences.
    public static var clientGapDetected: Self { "client.gap_detected" }
    /// The number of the user's messages that the server has not confirmed.
    public static var outboxCount: Self { "outbox.count" }
    /// The header's text about queued messages; null for none.
    public static var outboxHeaderText: Self { "outbox.header_text" }
    /// The client has accepted a message of the user, which must not be lost from then on.
    public static var clientAccepted: Self { "client.accepted" }
    /// The number of the user's files that the server does not have completely.
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
    /// The conversation on the screen; null for none.
    public static var viewConversation: Self { "view.conversation" }
    /// What the screen shows of it.
    public static var viewPhase: Self { "view.phase" }
    /// The messages on the screen, in the order shown.
    public static var viewRows: Self { "view.rows" }
    /// Its messages, in the order shown.
    public static var conversationMessages: Self { "conversation.messages" }
    /// What it says.
    public static var messageText: Self { "message.text" }
    /// Milliseconds since 1970: the server's clock, the phone's until it is confirmed.
    public static var messageTimestamp: Self { "message.timestamp" }
    /// What became of the user's message.
    public static var messageStatus: Self { "message.status" }
    /// Its sign; null once delivered.
    public static var messageIcon: Self { "message.icon" }
    /// The sign's colour; null once delivered.
    public static var messageTone: Self { "message.tone" }
    /// What is written below it; null for nothing.
    public static var messageHint: Self { "message.hint" }
    /// Whether a tap sends it again.
    public static var messageRetryAvailable: Self { "message.retry_available" }
    /// Whether somebody else has read the user's message.
    public static var messageRead: Self { "message.read" }
    /// What has come so far of a message that is being written.
    public static var streamText: Self { "stream.text" }
    /// Whether pages are being fetched because somebody asked, or for a gap.
    public static var refreshInFlight: Self { "refresh.in_flight" }
    /// A message that the client had came again; ignored.
    public static var clientDroppedDuplicate: Self { "client.dropped_duplicate" }
    /// Pages are asked for, by the `user` or for a `gap`.
    public static var clientRefreshBegan: Self { "client.refresh.began" }
    /// They are here, or will not come.
    public static var clientRefreshEnded: Self { "client.refresh.ended" }
    /// The phone has trembled: `success` or `failure`.
    public static var clientHaptic: Self { "client.haptic" }
    /// Who is typing there.
    public static var peerTyping: Self { "peer.typing" }
    /// What the banner is about; null for no banner.
    public static var bannerKind: Self { "banner.kind" }
    /// What it says; null for no banner.
    public static var bannerText: Self { "banner.text" }
    /// Its colour; null for no banner.
    public static var bannerTone: Self { "banner.tone" }
    /// What mends it, and who; null for no banner.
    public static var bannerAction: Self { "banner.action" }
    /// Where it stands: over the list, or at the end of it; null for no banner.
    public static var bannerPlacement: Self { "banner.placement" }
    /// The toast; null for none.
    public static var toastText: Self { "toast.text" }
    /// The alert's title; null for none.
    public static var alertTitle: Self { "alert.title" }
    /// The alert's body; null for none.
    public static var alertText: Self { "alert.text" }
    /// What the alert's buttons say; empty without an alert.
    public static var alertActions: Self { "alert.actions" }
    /// The user was sent to another app with this address.
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
    /// A request has failed or timed out.
    public static var clientRequestFailedHealth: Self { "client.request_failed.health" }
    /// A request has failed or timed out.
    public static var clientRequestFailedConversations: Self { "client.request_failed.conversations" }
    /// A request has failed or timed out.
    public static var clientRequestFailedMessages: Self { "client.request_failed.messages" }
    /// A request has failed or timed out.
    public static var clientRequestFailedSend: Self { "client.request_failed.send" }
    /// A request has failed or timed out.
    public static var clientRequestFailedMarkRead: Self { "client.request_failed.mark_read" }
    /// A request has failed or timed out.
    public static var clientRequestFailedUpload: Self { "client.request_failed.upload" }
    /// A request has failed or timed out.
    public static var clientRequestFailedUnread: Self { "client.request_failed.unread" }
    /// A request has failed or timed out.
    public static var clientRequestFailedAgents: Self { "client.request_failed.agents" }
    /// A request has failed or timed out.
    public static var clientRequestFailedDelete: Self { "client.request_failed.delete" }
    /// A request has failed or timed out.
    public static var clientRequestFailedMedia: Self { "client.request_failed.media" }
    /// A request has failed or timed out.
    public static var clientRequestFailedThumbnail: Self { "client.request_failed.thumbnail" }
    /// A request has failed or timed out.
    public static var clientRequestFailedPushToken: Self { "client.request_failed.push_token" }
    /// A request has failed or timed out.
    public static var clientRequestFailedConversation: Self { "client.request_failed.conversation" }
    /// The app's process has crashed.
    public static var clientCrashed: Self { "client.crashed" }
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
    /// The conversation that the app considers to be viewed; null for none.
    public static var appViewing: Self { "app.viewing" }
    /// The user that the app considers to be signed in; null for none.
    public static var appUser: Self { "app.user" }
    /// Whether a sign-out is in progress.
    public static var appSigningOut: Self { "app.signing_out" }
    /// How far the phone's token has come on its way to the server.
    public static var pushTokenState: Self { "push_token.state" }
    /// A save of the token begins; counted from 1.
    public static var clientPushTokenTried: Self { "client.push_token.tried" }
    /// A save of the token has come to nothing.
    public static var clientPushTokenFailed: Self { "client.push_token.failed" }
    /// The server has the token.
    public static var clientPushTokenSaved: Self { "client.push_token.saved" }
    /// The token is not saved before the next launch.
    public static var clientPushTokenGivenUp: Self { "client.push_token.given_up" }
    /// Whether the phone lets the app notify, as the app has read it.
    public static var permissionState: Self { "permission.state" }
    /// What is told where it does not; null for nothing.
    public static var permissionBannerText: Self { "permission.banner_text" }
    /// What the banner's button says; null for no banner.
    public static var permissionBannerAction: Self { "permission.banner_action" }
    /// The banner's colour; null for no banner.
    public static var permissionBannerTone: Self { "permission.banner_tone" }
    /// The banner's sign; null for no banner.
    public static var permissionBannerIcon: Self { "permission.banner_icon" }
    /// What a screen reader says of it; null for no banner.
    public static var permissionBannerLabel: Self { "permission.banner_label" }
    /// Whether it appears gently; null for no banner.
    public static var permissionBannerAnimated: Self { "permission.banner_animated" }
    /// A notification is shown, and in which ways.
    public static var clientNotified: Self { "client.notified" }
    /// A push was about the conversation on the screen, and is not shown.
    public static var clientNotificationSuppressed: Self { "client.notification_suppressed" }
    /// The messages of the notifications on the phone, the newest last.
    public static var notifications: Self { "notifications" }
    /// The notification's id.
    public static var notificationId: Self { "notification.id" }
    /// Its title.
    public static var notificationTitle: Self { "notification.title" }
    /// Its text.
    public static var notificationBody: Self { "notification.body" }
    /// The group that it is of; null for none.
    public static var notificationThread: Self { "notification.thread" }
    /// Its kind, which decides its buttons.
    public static var notificationCategory: Self { "notification.category" }
    /// What its buttons say.
    public static var notificationActions: Self { "notification.actions" }
    /// How the user was told: banner, sound, badge; empty for not at all.
    public static var notificationPresentation: Self { "notification.presentation" }
    /// What a group of several notifications says; null for fewer than two.
    public static var notificationSummary: Self { "notification.summary" }
    /// The conversation that a tapped notification leads to, until it is on the screen; null for none.
    public static var deepLinkPending: Self { "deep_link.pending" }
    /// Why it cannot be shown; null for no reason.
    public static var deepLinkError: Self { "deep_link.error" }
    /// What the user is told of that; null for nothing.
    public static var deepLinkText: Self { "deep_link.text" }
    /// A tapped notification has led to its conversation.
    public static var clientDeepLinkOpened: Self { "client.deep_link.opened" }
    /// A tapped notification has led nowhere.
    public static var clientDeepLinkFailed: Self { "client.deep_link.failed" }
    /// The message that stands out for a moment; null for none.
    public static var highlightTarget: Self { "highlight.target" }
    /// Whose conversation is on the screen; null for none.
    public static var viewHeaderName: Self { "view.header_name" }
    /// What stands in the place of messages that are being loaded; null where none are.
    public static var viewLoadingText: Self { "view.loading_text" }
    /// Whether the rows are dimmed: they are those of the conversation before.
    public static var viewStale: Self { "view.stale" }
    /// What an empty conversation says; null where it is not empty.
    public static var viewEmptyText: Self { "view.empty_text" }
    /// What an empty conversation offers to say.
    public static var viewSuggestions: Self { "view.suggestions" }
    /// Whether the partner of an empty conversation is there; null where nobody is known, or it is not empty.
    public static var viewPartnerStatus: Self { "view.partner_status" }
    /// When a partner who is not there was last seen; null likewise, and for whoever is there.
    public static var viewPartnerLastSeen: Self { "view.partner_last_seen" }
    /// Who the partner of an empty conversation is; null likewise.
    public static var viewPartnerAbout: Self { "view.partner_about" }
    /// What stands in the field to type in, once the user has been there.
    public static var composerText: Self { "composer.text" }
    /// The screen slides to the `left`, to a conversation further down the list, or to the `right`.
    public static var clientTransition: Self { "client.transition" }
    /// Whether it has older messages than those that are here.
    public static var historyHasMore: Self { "history.has_more" }
    /// What the control above the oldest message says; null where there is no control.
    public static var historyControlText: Self { "history.control_text" }
    /// Whether a page of older messages is on its way.
    public static var historyInFlight: Self { "history.in_flight" }
    /// A page of older messages is asked for.
    public static var clientHistoryBegan: Self { "client.history.began" }
    /// It is here, or will not come.
    public static var clientHistoryEnded: Self { "client.history.ended" }
    /// A message that was looked for is `found`, `not_there` however far back, or given up: `failed`, `given_up`.
    public static var clientSearchEnded: Self { "client.search.ended" }
    /// The first visible message of the open conversation; null at its end. Told from the first scroll on.
    public static var scrollAnchor: Self { "scroll.anchor" }
    /// The list has moved to its `end` or to a `message`, because of `user`, `new_message`, `own_message`, `history` or
    /// `target`.
    public static var clientScrolled: Self { "client.scrolled" }
    /// The message before which the separator stands: the first of those that came unseen; null for no separator.
    public static var newMarkerBefore: Self { "new_marker.before" }
    /// How many stand behind the separator.
    public static var newMarkerCount: Self { "new_marker.count" }
    /// Messages of it that the user has not seen.
    public static var unread: Self { "unread" }
    /// Whether its view is on the screen.
    public static var viewActive: Self { "view.active" }
    /// The number on the app's icon: what is unread in all conversations together. Shown once anything was unread, or
    /// the list was opened.
    public static var badgeApp: Self { "badge.app" }
    /// Nothing of a conversation is unread any more.
    public static var clientConversationRead: Self { "client.conversation_read" }
    /// The list of conversations, the one with the newest message first. Shown once it was opened, as all of it.
    public static var listConversations: Self { "list.conversations" }
    /// What its newest message says; null for none.
    public static var listPreview: Self { "list.preview" }
    /// The badge beside it in the list; null for none.
    public static var badgeText: Self { "badge.text" }
    /// The badge's colour; null for none.
    public static var badgeTone: Self { "badge.tone" }
    /// Whether somebody is there.
    public static var peerPresence: Self { "peer.presence" }
    /// When somebody who is not there, or not surely, was last seen; null for others. Shown once the list was opened,
    /// as all below.
    public static var peerLastSeen: Self { "peer.last_seen" }
    /// The partner's, in the list.
    public static var listPresence: Self { "list.presence" }
    /// The dot beside the partner in the list.
    public static var listTone: Self { "list.tone" }
    /// The partner's, above the messages; null in a group.
    public static var headerPresence: Self { "header.presence" }
    /// The dot above the messages; null in a group.
    public static var headerTone: Self { "header.tone" }
    /// The partner's status in words, or neutral ones.
    public static var headerSubtitle: Self { "header.subtitle" }
    /// Whether somebody types in the open conversation.
    public static var headerTyping: Self { "header.typing" }
    /// How many of a group are there; null outside groups, or where it is not sure of all.
    public static var headerOnline: Self { "header.online" }
    /// The members of the open group, those who are there first; empty outside groups.
    public static var headerMembers: Self { "header.members" }
    /// What a group's list of members shows.
    public static var memberPresence: Self { "member.presence" }
    /// Somebody is shown as another than before, with a `fade` or a `jump`; `latency` since the server knew, where it
    /// says.
    public static var clientPresenceChanged: Self { "client.presence_changed" }
    /// Who is there cannot be had: nobody is shown as being there.
    public static var clientPresenceUnavailable: Self { "client.presence_unavailable" }
    /// The age of a message of the open conversation by the server's clock; absent unless times are shown.
    public static var messageTimeText: Self { "message.time_text" }
    /// The heading above a day's first message in the open conversation, null at others; absent without times.
    public static var messageDay: Self { "message.day" }
    /// The message's time to the second, once it was long-pressed.
    public static var messageExactTime: Self { "message.exact_time" }
    /// The file name of the image in the preview; null without one.
    public static var previewFile: Self { "preview.file" }
    /// The size in bytes at which the image in the preview would be sent; null without one.
    public static var previewBytes: Self { "preview.bytes" }
    /// The source of the image in the preview; null without one.
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
    /// What the message's menu offers; empty when it is closed.
    public static var menuActions: Self { "menu.actions" }
    /// What the menu says of the message's status; null when it is closed.
    public static var menuExplanation: Self { "menu.explanation" }
    /// What the user is asked; null for nothing.
    public static var dialogText: Self { "dialog.text" }
    /// What the dialog's buttons say; empty without a dialog.
    public static var dialogActions: Self { "dialog.actions" }
    /// Its colour; null without a dialog.
    public static var dialogTone: Self { "dialog.tone" }
    /// Deletions of the user that the server has not agreed to.
    public static var deletionsPending: Self { "deletions.pending" }
    /// Whether only its place is left.
    public static var messageDeleted: Self { "message.deleted" }
    /// Whether its deletion can be undone.
    public static var messageUndoAvailable: Self { "message.undo_available" }
    /// What it shows, where that is not, or was not always, text alone.
    public static var messageKind: Self { "message.kind" }
    /// The user has confirmed that the message shall be deleted.
    public static var clientDeleteBegan: Self { "client.delete.began" }
    /// The user has thought better of it, in time.
    public static var clientDeleteUndone: Self { "client.delete.undone" }
    /// The server has deleted the message, or has refused, and the message is shown again.
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
    /// The client has not done what it was asked for; definite says whether that is certain.
    public static var clientRefused: Self { "client.refused" }
    /// A line that the client wants in the report.
    public static var clientLog: Self { "client.log" }
}
