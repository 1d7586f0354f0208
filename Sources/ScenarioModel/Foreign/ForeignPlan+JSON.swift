import Adapter
package import SquallCore

/// Encodes a foreign client for a trace header, so that the trace can be rechecked for the same client.
extension ForeignPlan {
    package var json: JSON {
        .object(
            [JSONMember("adapter", .bool(hasAdapter)), JSONMember("home", .string(home.rawValue))] + offer.members
                + (claims.isEmpty ? [] : [JSONMember("claims", .array(claimed))])
        )
    }

    private var claimed: [JSON] { Claim.allCases.filter(claims.contains).map { .string($0.rawValue) } }

    /// Decodes the JSON form that ``json`` returns; returns nil for any other value.
    package init?(_ json: JSON) {
        guard let hasAdapter = json["adapter"]?.boolValue, let home = json["home"]?.stringValue.flatMap(Home.init),
            let offer = try? AdapterCapabilities(json)
        else { return nil }
        self.init(hasAdapter: hasAdapter, home: home, offer: offer)
        claims = Set((json["claims"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(Claim.init) })
    }
}
