package import ChatWire
import SquallCore

/// What must be answered to a ``RouteAsk``.
package struct RouteReply: Hashable, Sendable {
    /// What a list of the answer must hold.
    package struct Listing: Hashable, Sendable {
        package var list: WireField
        /// For each of these, one element with these values.
        package var holding: [[WireField: ChatValue]] = []
        /// No element with these values.
        package var lacking: [[WireField: ChatValue]] = []
        package var most: Int?

        package init(
            _ list: WireField,
            holding: [[WireField: ChatValue]] = [],
            lacking: [[WireField: ChatValue]] = [],
            most: Int? = nil
        ) {
            self.list = list
            self.holding = holding
            self.lacking = lacking
            self.most = most
        }
    }

    /// As the protocol has it.
    package var statuses: [Int]
    /// Said by many frameworks, and clear enough: not strict.
    package var tolerated: [Int]
    /// The code that an error's body must name; any, where it is nil.
    package var code: ErrorCode?
    package var fields: [WireField: ChatValue]
    package var keeps: [WireField: String]
    package var listing: Listing?

    package init(
        _ statuses: [Int],
        tolerated: [Int] = [],
        code: ErrorCode? = nil,
        fields: [WireField: ChatValue] = [:],
        keeps: [WireField: String] = [:],
        listing: Listing? = nil
    ) {
        self.statuses = statuses
        self.tolerated = tolerated
        self.code = code
        self.fields = fields
        self.keeps = keeps
        self.listing = listing
    }
}
