import Adapter
package import SquallCore

/// A foreign client in a trace's header, so that the trace can be judged again as that client's.
extension ForeignPlan {
    package var json: JSON {
        .object(
            [JSONMember("adapter", .bool(hasAdapter)), JSONMember("home", .string(home.rawValue))] + offer.members
        )
    }

    /// Nil if `json` does not have the form of ``json``.
    package init?(_ json: JSON) {
        guard let hasAdapter = json["adapter"]?.boolValue, let home = json["home"]?.stringValue.flatMap(Home.init),
            let offer = try? ClientOffer(json)
        else { return nil }
        self.init(hasAdapter: hasAdapter, home: home, offer: offer)
    }
}
