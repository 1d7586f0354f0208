// swift-tools-version: 6.2
import PackageDescription

// In your own package, use .package(url: "https://github.com/…/squall", …) as the dependency on Squall.
let package = Package(
    name: "tiny-chat",
    platforms: [.macOS(.v15)],
    products: [.library(name: "TinyChat", targets: ["TinyChat"])],
    dependencies: [
        .package(name: "squall", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
    ],
    targets: [
        .target(
            name: "TinyChat",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "TinyChatTests",
            dependencies: ["TinyChat", .product(name: "SquallTesting", package: "squall")]
        ),
    ]
)
