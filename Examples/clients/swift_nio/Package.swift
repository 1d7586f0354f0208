// swift-tools-version: 6.2
import PackageDescription

// `report_card.py` builds this package. The file swift_nio.txt states the library's version for the report card.
let package = Package(
    name: "swift-nio-driver",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-nio", exact: "2.101.2")],
    targets: [
        .executableTarget(
            name: "Driver",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]
        )
    ]
)
