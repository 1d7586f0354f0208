// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "AppAdapter",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [.library(name: "AppAdapter", targets: ["AppAdapter"])],
    targets: [
        .target(name: "AppAdapter"),
        .executableTarget(name: "AppDemo", dependencies: ["AppAdapter"]),
    ]
)
