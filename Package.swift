// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
]

/// A library target of this package: one room, with the rooms below it that it may use.
func room(_ name: String, uses: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: uses, resources: resources, swiftSettings: settings)
}

func tests(of name: String, uses: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name)] + uses,
        swiftSettings: settings
    )
}


let package = Package(
    name: "squall",
    platforms: [.macOS(.v15)],
    targets: [
        // 0: words that every layer shares
        room("Foundations"),
        // 1: bytes to frames and back
        room("WebSocketWire", uses: ["Foundations"]),
        // 2: the chat protocol
        room("ChatWire", uses: ["Foundations", "WebSocketWire"]),
        tests(of: "Foundations"),
        tests(of: "WebSocketWire", uses: ["Foundations"]),
        tests(of: "ChatWire", uses: ["Foundations", "WebSocketWire"]),
    ]
)
