package import ChatWire
import SquallCore

/// The expected reply to a ``RouteRequest``.
package struct RouteReply: Hashable, Sendable {
    /// The expected content of a list in the reply.
    package struct Listing: Hashable, Sendable {
        package var list: WireField
        /// The elements that the list must contain, each described by some of its field values.
        package var including: [[WireField: ChatValue]] = []
        /// The elements that the list must not contain, each described by some of its field values.
        package var excluding: [[WireField: ChatValue]] = []
        /// The fields to save from the element that matches the first entry of ``including``, and the names to save
        /// them under.
        package var saves: [WireField: String]
        package var most: Int?

        package init(
            _ list: WireField,
            including: [[WireField: ChatValue]] = [],
            excluding: [[WireField: ChatValue]] = [],
            saves: [WireField: String] = [:],
            most: Int? = nil
        ) {
            self.list = list
            self.including = including
            self.excluding = excluding
            self.saves = saves
            self.most = most
        }
    }

    /// The statuses that the protocol specifies.
    package var statuses: [Int]
    /// Statuses that many frameworks send instead of ``statuses`` and that are still unambiguous. A tolerated status
    /// makes the result non-strict.
    package var tolerated: [Int]
    /// The error code that the body must contain; nil for any code.
    package var code: ErrorCode?
    package var fields: [WireField: ChatValue]
    package var saves: [WireField: String]
    package var listing: Listing?
    /// Whether the route is optional: a 404 or 405 ends the case as unimplemented.
    package var isOptional: Bool

    package init(
        _ statuses: [Int],
        tolerated: [Int] = [],
        code: ErrorCode? = nil,
        fields: [WireField: ChatValue] = [:],
        saves: [WireField: String] = [:],
        listing: Listing? = nil,
        isOptional: Bool = false
    ) {
        self.statuses = statuses
        self.tolerated = tolerated
        self.code = code
        self.fields = fields
        self.saves = saves
        self.listing = listing
        self.isOptional = isOptional
    }
}
