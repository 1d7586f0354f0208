import Adapter
package import Foundations

/// A client that Squall does not drive, as a trace's header keeps it, so that the trace can be judged again as that client's.
extension ForeignPlan {
    package var json: JSON {
        [
            "adapter": .bool(hasAdapter), "home": .string(home.rawValue), "name": .string(offer.name),
            "version": .string(offer.version), "shows": .array(offer.shows.map(JSON.string)),
            "takes": .array(offer.takes.map(JSON.string)),
            "states": .object(offer.states.map { JSONMember($0.native, .string($0.word)) }),
            "tls": .bool(offer.comesByTLS),
        ]
    }

    /// Nil where it is not what ``json`` gives.
    package init?(_ json: JSON) {
        guard let hasAdapter = json["adapter"]?.boolValue, let home = json["home"]?.stringValue.flatMap(Home.init),
            let offer = try? ClientOffer(json)
        else { return nil }
        self.init(hasAdapter: hasAdapter, home: home, offer: offer)
    }
}
