// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that Squall itself never depends on swift-syntax.
let package = Package(
    name: "Mutants",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    ],
    targets: [
        .target(
            name: "Mutating",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftOperators", package: "swift-syntax"),
            ]
        ),
        .executableTarget(
            name: "mutants",
            dependencies: ["Mutating", .product(name: "ArgumentParser", package: "swift-argument-parser")]
        ),
        .testTarget(name: "MutatingTests", dependencies: ["Mutating"]),
    ]
)
