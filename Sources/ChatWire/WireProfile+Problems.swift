extension WireProfile {
    /// The reasons why this profile is invalid, one line each, beginning with the setting's name; empty if it is valid.
    package var problems: [String] {
        emptyNames + sharedTypes + sharedFields + badPaths + overlappingPaths
    }

    private var emptyNames: [String] {
        FrameRole.allCases.filter { self[type: $0].isEmpty }.map { "wire.type.\($0.rawValue) is empty" }
            + WireField.allCases.filter { self[$0].isEmpty }.map { "wire.field.\($0.defaultName) is empty" }
    }

    /// The types used by more than one frame in the same direction. A client frame and a server frame may share a type.
    private var sharedTypes: [String] {
        [FrameRole.fromClient, FrameRole.fromServer].flatMap { roles in
            pairs(of: roles).filter { self[type: $0] == self[type: $1] }.map { first, second in
                "wire.type.\(second.rawValue) is \"\(self[type: second])\", the same as wire.type.\(first.rawValue)"
            }
        }
    }

    /// The names used by more than one field of the same object.
    private var sharedFields: [String] {
        var found: [String] = []
        let queries = RouteKind.allCases.map(\.query)
        for fields in FrameShape.all.map(\.allFields) + ObjectShape.all.map(\.allFields) + queries {
            for (first, second) in pairs(of: fields) where self[first] == self[second] {
                let line =
                    "wire.field.\(second.defaultName) is \"\(self[second])\", the same as "
                    + "wire.field.\(first.defaultName)"
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

    /// The paths of routes that also match requests to another route.
    ///
    /// Optional routes may overlap others, because they are matched last (``ChatRoute/parse(method:target:_:)``).
    private var overlappingPaths: [String] {
        let webSocket = PathTemplate(webSocketPath, placeholder: nil)
        let shadowing = RouteKind.tested.filter { $0.method == "GET" && template($0).overlaps(webSocket) }
        return shadowing.map { "wire.path.\($0.rawValue) matches requests of wire.path.ws" }
            + pairs(of: RouteKind.allCases)
            .filter { $0.isExtra == $1.isExtra && $0.method == $1.method && template($0).overlaps(template($1)) }
            .map { "wire.path.\($1.rawValue) matches requests of wire.path.\($0.rawValue)" }
    }

    private func pairs<Element>(of elements: [Element]) -> [(Element, Element)] {
        elements.indices.flatMap { first in
            elements[(first + 1)...].map { (elements[first], $0) }
        }
    }
}
