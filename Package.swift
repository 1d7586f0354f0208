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

/// The additional settings of the modules that execute simulated runs: a debug build optimizes them as well, but keeps
/// their assertions. The suite then runs five times as fast in simulation, and the build takes a third longer. SwiftPM
/// rejects unsafe flags in a dependency, so a checkout in another package is built without them.
let optimized: [SwiftSetting] =
    Context.packageDirectory.contains("/checkouts/")
    ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// A library target of this package. A module may use modules of lower layers and no others; the tidy tests hold targets and
/// imports to that.
func module(
    _ name: String,
    layer: Int,
    uses: [Target.Dependency] = [],
    resources: [Resource] = [],
    isOptimized: Bool = false
) -> Target {
    .target(
        name: name,
        dependencies: uses,
        resources: resources,
        swiftSettings: isOptimized ? settings + optimized : settings
    )
}

func tests(of name: String, uses: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name), "TestSupport"] + uses,
        swiftSettings: settings
    )
}

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")

/// The packages that TLS needs. They bring two copies of BoringSSL, which take longer to build than the rest of a first build.
let tls: [Target.Dependency] = [
    .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
    .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["TLS"])),
    .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["TLS"])),
    .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["TLS"])),
]

let package = Package(
    name: "squall",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "squall", targets: ["SquallCommand"]),
        .library(name: "SquallTesting", targets: ["SquallTesting"]),
    ],
    traits: [
        .trait(name: "TLS", description: "wss and https: links with TLS, certificates, and `squall serve` for a phone.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
        .package(url: "https://github.com/apple/swift-nio-ssl", .upToNextMinor(from: "2.37.6")),
        .package(url: "https://github.com/apple/swift-crypto", .upToNextMinor(from: "4.5.2")),
        .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
        .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.2")),
    ],
    targets: [
        // The libraries of the system
        .systemLibrary(
            name: "CLibcurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        .systemLibrary(
            name: "CLibpcap",
            pkgConfig: "libpcap",
            providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CPolling"),
        .systemLibrary(name: "CNamespaces"),
        // 0: Values that every layer shares: time, seeds, identities, JSON; zlib streams
        module("SquallCore", layer: 0, isOptimized: true),
        module("Deflate", layer: 0, uses: ["CZlib"]),
        // 1: HTTP/1.1 heads, WebSocket frames and MQTT packets to bytes and back
        module("WebSocketWire", layer: 1, uses: ["SquallCore", "Deflate"], isOptimized: true),
        module("MQTTWire", layer: 1, uses: ["SquallCore"]),
        // 2: The chat protocol; what can happen on a link; what was seen
        module("ChatWire", layer: 2, uses: ["SquallCore", "Deflate", "WebSocketWire", "MQTTWire"], isOptimized: true),
        module("Faults", layer: 2, uses: ["SquallCore", "WebSocketWire"], isOptimized: true),
        module("Trace", layer: 2, uses: ["SquallCore"], isOptimized: true),
        // 3: The two chat machines; the protocol of clients under test
        module(
            "ReferenceClient",
            layer: 3,
            uses: ["SquallCore", "WebSocketWire", "ChatWire", "Faults"],
            isOptimized: true
        ),
        module("FakeServer", layer: 3, uses: ["SquallCore", "WebSocketWire", "ChatWire", "Faults"], isOptimized: true),
        module("Adapter", layer: 3, uses: ["SquallCore", "WebSocketWire", "ChatWire"]),
        // 4: Judging: formulas, monitors, invariants
        module("TemporalLogic", layer: 4, uses: ["SquallCore", "Trace"], isOptimized: true),
        // 5: A scenario as checked values and its run; conformance cases as data; TLS as a value of bytes in and out
        module(
            "ScenarioModel",
            layer: 5,
            uses: [
                "SquallCore", "Deflate", "WebSocketWire", "ChatWire", "Faults", "Trace", "ReferenceClient",
                "FakeServer", "Adapter", "TemporalLogic",
            ],
            isOptimized: true
        ),
        module("Conformance", layer: 5, uses: ["SquallCore", "Deflate", "WebSocketWire", "ChatWire", "Faults"]),
        module("TLSLink", layer: 5, uses: ["SquallCore", "WebSocketWire", "Faults", nioCore] + tls),
        // 6: Random scenarios and their shrinking; runs to text and pages; real sockets
        module(
            "Exploration",
            layer: 6,
            uses: [
                "SquallCore", "ChatWire", "Faults", "FakeServer", "ReferenceClient", "Trace", "TemporalLogic",
                "ScenarioModel",
            ]
        ),
        module(
            "Reports",
            layer: 6,
            uses: [
                "SquallCore", "Deflate", "WebSocketWire", "Trace", "TemporalLogic", "ScenarioModel", "Conformance",
            ],
            resources: [.embedInCode("HTML/Page"), .embedInCode("HTML/Panel"), .embedInCode("HTML/Comparison")]
        ),
        module("Sockets", layer: 6, uses: ["SquallCore", "Faults", "TLSLink", nioCore, nioPosix]),
        // 7: YAML to scenarios and back; clients that are processes of their own
        module(
            "ScenarioLanguage",
            layer: 7,
            uses: [
                "SquallCore", "ChatWire", "Faults", "Trace", "ReferenceClient", "FakeServer", "Adapter",
                "TemporalLogic", "ScenarioModel", "Exploration", .product(name: "Yams", package: "Yams"),
            ],
            resources: [.embedInCode("Profiles")]
        ),
        module("Processes", layer: 7, uses: ["SquallCore", "Adapter", "Sockets", nioCore, nioPosix]),
        // 8: The worlds, which carry bytes and time; the relay with Toxiproxy's API; links that lose IP packets; the page
        // of a run that goes on
        module(
            "ConformanceRunner",
            layer: 8,
            uses: [
                "SquallCore", "WebSocketWire", "ChatWire", "Faults", "Adapter", "Conformance", "Sockets", "TLSLink",
                "Processes", nioCore, nioPosix,
            ]
        ),
        module(
            "Simulation",
            layer: 8,
            uses: [
                "SquallCore", "WebSocketWire", "ChatWire", "Faults", "Trace", "ReferenceClient", "FakeServer",
                "TemporalLogic", "ScenarioModel", "Conformance",
            ],
            isOptimized: true
        ),
        module(
            "Live",
            layer: 8,
            uses: [
                "SquallCore", "WebSocketWire", "ChatWire", "Faults", "Trace", "ReferenceClient", "FakeServer",
                "Adapter", "TemporalLogic", "ScenarioModel", "Sockets", "TLSLink", "Processes", "CLibcurl",
                "CLibpcap", nioCore, nioPosix, .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        module(
            "Proxy",
            layer: 8,
            uses: [
                "SquallCore", "WebSocketWire", "Faults", "Trace", "Sockets", "TLSLink", "CPolling",
            ]
        ),
        module("Packets", layer: 8, uses: ["SquallCore", "CPolling", "CNamespaces"]),
        module(
            "Panel",
            layer: 8,
            uses: [
                "SquallCore", "WebSocketWire", "Faults", "Trace", "ScenarioModel", "Reports", "Sockets",
                "ScenarioLanguage", nioCore, nioPosix,
            ]
        ),
        // 9: What the command line and people's own tests call
        module(
            "Squall",
            layer: 9,
            uses: [
                "SquallCore", "ChatWire", "Faults", "Trace", "ReferenceClient", "FakeServer", "Adapter",
                "TemporalLogic",
                "ScenarioModel", "Exploration", "ScenarioLanguage", "Reports", "Sockets", "Simulation", "Live",
                "TLSLink", "Processes",
            ]
        ),
        // 10: The library for people's own tests; the command line
        module(
            "SquallTesting",
            layer: 10,
            uses: [
                "SquallCore", "Adapter", "Trace", "TemporalLogic", "ScenarioModel", "ScenarioLanguage", "Reports",
                "Live", "Squall",
            ]
        ),
        .executableTarget(
            name: "SquallCommand",
            dependencies: [
                "SquallCore", "Trace", "TemporalLogic", "ScenarioModel", "Exploration", "Reports", "Squall", "Proxy",
                "Packets", "Panel", "Adapter", "Conformance", "ConformanceRunner", "TLSLink", "WebSocketWire",
                "ChatWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SquallBenchmark",
            dependencies: [
                "ChatWire", "SquallCore", "ScenarioLanguage", "ScenarioModel", "Simulation", "Squall", "Trace",
            ],
            path: "Benchmarks",
            exclude: ["Mutants", "Proxy"],
            swiftSettings: settings
        ),
        .executableTarget(name: "ProxyBenchmark", path: "Benchmarks/Proxy", swiftSettings: settings),
        // Tests
        .target(
            name: "TestSupport",
            dependencies: ["SquallCore"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "TidyTests",
            dependencies: ["TestSupport"],
            exclude: ["unfinished.txt"],
            swiftSettings: settings
        ),
        tests(of: "SquallCore"),
        tests(of: "Deflate"),
        tests(of: "WebSocketWire", uses: ["SquallCore", "Deflate"]),
        tests(of: "MQTTWire", uses: ["SquallCore"]),
        tests(of: "ChatWire", uses: ["SquallCore", "Deflate", "WebSocketWire"]),
        tests(of: "Faults", uses: ["SquallCore", "WebSocketWire"]),
        tests(of: "Trace", uses: ["SquallCore", "Packets"]),
        tests(of: "FakeServer", uses: ["SquallCore", "Deflate", "WebSocketWire", "MQTTWire", "ChatWire", "Faults"]),
        tests(of: "Adapter", uses: ["SquallCore", "WebSocketWire"]),
        tests(of: "TemporalLogic", uses: ["SquallCore", "Trace"]),
        tests(of: "ReferenceClient", uses: ["SquallCore", "WebSocketWire", "ChatWire", "Faults"]),
        tests(
            of: "ScenarioModel",
            uses: ["SquallCore", "Deflate", "WebSocketWire", "ChatWire", "Faults", "Adapter", "TemporalLogic", "Trace"]
        ),
        .testTarget(
            name: "ScenarioLanguageTests",
            dependencies: [
                "SquallCore", "ChatWire", "Faults", "FakeServer", "ReferenceClient", "Adapter", "ScenarioLanguage",
                "ScenarioModel", "TemporalLogic", "Trace",
            ],
            exclude: ["Frames", "Mistakes"],
            swiftSettings: settings
        ),
        tests(
            of: "Exploration",
            uses: ["ScenarioLanguage", "ScenarioModel", "Squall", "SquallCore", "TemporalLogic", "Trace"]
        ),
        tests(of: "Panel", uses: ["SquallCore", "ScenarioModel", "WebSocketWire"]),
        tests(
            of: "Reports",
            uses: ["SquallCore", "Deflate", "WebSocketWire", "ScenarioModel", "TemporalLogic", "Trace"]
        ),
        tests(
            of: "Conformance",
            uses: [
                "SquallCore", "WebSocketWire", "ChatWire", "Faults", "FakeServer", "ReferenceClient", "Reports",
                "Simulation",
            ]
        ),
        .testTarget(
            name: "ConformanceRunnerTests",
            dependencies: [
                "SquallCore", "WebSocketWire", "ChatWire", "Faults", "FakeServer", "Adapter", "Conformance",
                "ConformanceRunner", "Proxy", "Sockets", "TLSLink", "TestSupport", nioCore, nioPosix,
            ],
            exclude: ["Peers", "Recorded"],
            swiftSettings: settings
        ),
        tests(of: "TLSLink", uses: ["SquallCore", "Faults"]),
        tests(of: "Sockets", uses: ["SquallCore", "Faults", "TLSLink", nioCore, nioPosix]),
        tests(
            of: "Simulation",
            uses: [
                "SquallCore", "ChatWire", "Faults", "FakeServer", "ReferenceClient", "ScenarioModel", "TemporalLogic",
                "Trace",
            ]
        ),
        tests(
            of: "Live",
            uses: [
                "SquallCore", "WebSocketWire", "ChatWire", "Faults", "FakeServer", "ReferenceClient", "ScenarioModel",
                "Sockets", "Trace", "CLibpcap", nioCore, nioPosix,
            ]
        ),
        tests(of: "Proxy", uses: ["SquallCore", "WebSocketWire", "Faults", "Sockets", "TLSLink", "SquallCommand"]),
        tests(of: "Packets", uses: ["SquallCore"]),
        tests(of: "Processes", uses: ["Adapter", "SquallCore", "Sockets", nioCore, nioPosix]),
        tests(
            of: "Squall",
            uses: [
                "Adapter", "SquallCore", "Faults", "Live", "ReferenceClient", "Reports", "ScenarioModel", "Simulation",
                "Trace",
                nioCore,
                nioPosix,
            ]
        ),
        tests(of: "SquallTesting", uses: ["ChatWire", "Adapter", "ScenarioModel", "SquallCore", nioCore, nioPosix]),
        // The example is also a package of its own; here it is built and run as one module with its tests.
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "SquallTesting", nioCore, nioPosix, .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Examples/swift-testing",
            exclude: ["Package.swift", "README.md", "Scenarios"],
            sources: ["Sources", "Tests"],
            swiftSettings: settings
        ),
        // The carrier of the adapter protocol for an app in Swift, which is a package of its own, too.
        .target(name: "AppAdapter", path: "Examples/ios-adapter/Sources/AppAdapter", swiftSettings: settings),
        .executableTarget(
            name: "AppDemo",
            dependencies: ["AppAdapter"],
            path: "Examples/ios-adapter/Sources/AppDemo",
            swiftSettings: settings
        ),
        .testTarget(
            name: "SquallCommandTests",
            dependencies: [
                "SquallCore", "ScenarioModel", "Panel", "Proxy", "SquallCommand", "TLSLink", "TestSupport", "AppDemo",
            ],
            exclude: ["Backend", "Golden"],
            swiftSettings: settings
        ),
    ]
)
