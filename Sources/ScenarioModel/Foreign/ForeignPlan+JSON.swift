import Adapter
package import SquallCore

/// A client that Squall does not drive, as a trace's header keeps it, so that the trace can be judged again as that client's.
extension ForeignPlan {
    package var json: JSON {
        .object(
            [JSONMember("adapter", .bool(hasAdapter)), JSONMember("home", .string(home.rawValue))] + offer.members
        )
    }

    /// Nil where it is not what ``json`` gives.
    package init?(_ json: JSON) {
        guard let hasAdapter = json["adapter"]?.boolValue, let home = json["home"]?.stringValue.flatMap(Home.init),
            let offer = try? ClientOffer(json)
        else { return nil }
        self.init(hasAdapter: hasAdapter, home: home, offer: offer)
    }
}
