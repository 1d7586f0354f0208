extension WireProfile {
    /// Why this profile cannot be spoken, one line each that begins with the value to blame; none when it can.
    package var problems: [String] {
        emptyNames + sharedTypes + sharedFields + badPaths + overlappingPaths
    }

    private var emptyNames: [String] {
        FrameRole.allCases.filter { self[type: $0].isEmpty }.map { "wire.type.\($0.rawValue) is empty" }
            + WireField.allCases.filter { self[$0].isEmpty }.map { "wire.field.\($0.defaultName) is empty" }
    }

    /// Two frames of one direction must differ in type; a client's and a server's need not.
    private var sharedTypes: [String] {
        [FrameRole.fromClient, FrameRole.fromServer].flatMap { roles in
            pairs(of: roles).filter { self[type: $0] == self[type: $1] }.map { first, second in
                "wire.type.\(second.rawValue) is \"\(self[type: second])\", "
                    + "which wire.type.\(first.rawValue) is already"
            }
        }
    }

    /// The fields of one object must differ.
    private var sharedFields: [String] {
        var found: [String] = []
        let queries = RouteKind.allCases.map(\.query)
        for fields in FrameShape.all.map(\.allFields) + ObjectShape.all.map(\.allFields) + queries {
            for (first, second) in pairs(of: fields) where self[first] == self[second] {
                let line =
                    "wire.field.\(second.defaultName) is \"\(self[second])\", "
                    + "which wire.field.\(first.defaultName) is already"
                if !found.contains(line) { found.append(line) }
            }
        }
        return found
    }

    private var badPaths: [String] {
        let webSocket = PathTemplate(webSocketPath, placeholder: nil).problem(placeholder: nil)
        return (webSocket.map { ["wire.path.ws \($0)"] } ?? [])
            + RouteKind.allCases.compactMap { route in
                template(route).problem(placeholder: route.placeholder).map { "wire.path.\(route.rawValue) \($0)" }
            }
    }

    /// A request must have one route only.
    ///
    /// What a server need not have gives way: such a route is tried behind all others (``ChatRoute/parse(method:target:_:)``).
    private var overlappingPaths: [String] {
        let webSocket = PathTemplate(webSocketPath, placeholder: nil)
        let shadowing = RouteKind.judged.filter { $0.method == "GET" && template($0).overlaps(webSocket) }
        return shadowing.map { "wire.path.\($0.rawValue) takes requests of wire.path.ws" }
            + pairs(of: RouteKind.allCases)
            .filter { $0.isExtra == $1.isExtra && $0.method == $1.method && template($0).overlaps(template($1)) }
            .map { "wire.path.\($1.rawValue) takes requests of wire.path.\($0.rawValue)" }
    }

    private func pairs<Element>(of elements: [Element]) -> [(Element, Element)] {
        elements.indices.flatMap { first in
            elements[(first + 1)...].map { (elements[first], $0) }
        }
    }
}
