import ChatWire
import SquallCore

/// The tables in the protocol's documentation page, generated from the code.
enum ProtocolTables {
    /// All tables in page order, each with the name of its region.
    static let all: [(name: String, text: String)] =
        FrameOrigin.allCases.flatMap { origin in
            let shapes = FrameShape.all.filter { $0.origin == origin }
            return [("frames \(origin.rawValue)", frames(shapes))]
                + shapes.map { ("frame \(origin.rawValue) \($0.role.rawValue)", fields($0.fields)) }
        } + [
            ("routes", routes), ("statuses", statuses), ("error codes", errorCodes), ("close codes", closeCodes),
        ] + ObjectShape.all.map { ("object \($0.name)", "\($0.meaning)\n\n\(fields($0.fields))") } + [
            ("profile values", profileValues)
        ]

    private static func frames(_ shapes: [FrameShape]) -> String {
        table(["Type", "Meaning"], shapes.map { ["`\($0.role.rawValue)`", $0.meaning] })
    }

    private static func fields(_ fields: [FieldShape]) -> String {
        table(
            ["Field", "Kind", "Required", "Meaning"],
            fields.map {
                [
                    "`\($0.field.defaultName)`", "\($0.kind)", $0.isExtra ? "extra" : $0.required ? "yes" : "no",
                    $0.meaning,
                ]
            }
        )
    }

    private static let routes = table(
        ["Route", "Request", "Query", "Body", "Answer", "Key", "Meaning"],
        RouteKind.allCases.map { route in
            [
                route.rawValue, "`\(route.method) \(route.defaultPath)`",
                route.query.map { "`\($0.defaultName)`" }.joined(separator: ", "),
                route.body ?? (route == .upload ? "the file, or a part of it" : ""), route.answer ?? "the file",
                route.needsKey ? "yes" : "no",
                route.meaning,
            ]
        }
    )

    private static let statuses = table(
        ["Status", "Phrase", "Meaning"],
        ChatStatus.allCases.map { ["\($0.rawValue)", $0.phrase, $0.meaning] }
    )

    private static let errorCodes = table(
        ["Code", "Meaning"],
        ErrorCode.known.map { ["`\($0.code.word)`", $0.meaning] }
    )

    private static let closeCodes = table(
        ["Code", "Meaning"],
        ChatCloseCode.allCases.map { ["\($0.rawValue)", $0.meaning] }
    )

    private static let profileValues = table(
        ["Value", "Default", "Meaning"],
        WireProfile.fields.map { field in
            let value =
                switch field.get(WireProfile()) {
                case .text(let text): text
                case .integer(let number): "\(number)"
                default: ""
                }
            return ["`\(field.name)`", "`\(value)`", field.meaning]
        }
    )

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows)
            .map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }
}
