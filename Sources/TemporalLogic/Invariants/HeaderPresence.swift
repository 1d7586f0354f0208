/// The presence in the header of the open conversation, and the presence that the client shows for the user that the
/// header names.
package struct HeaderPresence {
    package let inHeader: String
    package let user: String
    package let ofUser: String

    package var isContradiction: Bool { inHeader != ofUser }

    /// Reads the presence from what the client shows; returns nil if the client does not show both.
    ///
    /// - Parameter text: Returns the current text of an observable, given its name and key.
    package init?(_ text: (_ name: String, _ key: String?) -> String?) {
        guard let open = text("view.conversation", nil), let inHeader = text("header.presence", nil) else { return nil }
        // A group may have the name of a user and a single other member, whose name and presence the header shows.
        let name = text("view.header_name", nil)
        let user = name.flatMap { text("peer.presence", $0) == nil ? nil : $0 } ?? open
        guard let ofUser = text("peer.presence", user) else { return nil }
        (self.inHeader, self.user, self.ofUser) = (inHeader, user, ofUser)
    }
}
