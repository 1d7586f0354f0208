/// The presence shown in the open conversation's header, and the presence that the client shows elsewhere for the user
/// named in the header.
package struct HeaderPresence {
    package let inHeader: String
    package let user: String
    package let ofUser: String

    package var isContradiction: Bool { inHeader != ofUser }

    /// Reads both presences from what the client shows; returns nil unless the client shows both.
    ///
    /// - Parameter text: Returns the current text of an observable, given its name and key.
    package init?(_ text: (_ name: String, _ key: String?) -> String?) {
        guard let open = text("view.conversation", nil), let inHeader = text("header.presence", nil) else { return nil }
        // A conversation need not be named after its partner: for a group with a single other member, the header shows
        // the name and the presence of that member.
        let name = text("view.header_name", nil)
        let user = name.flatMap { text("peer.presence", $0) == nil ? nil : $0 } ?? open
        guard let ofUser = text("peer.presence", user) else { return nil }
        (self.inHeader, self.user, self.ofUser) = (inHeader, user, ofUser)
    }
}
