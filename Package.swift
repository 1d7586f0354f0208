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

/// Additional settings of the modules that execute simulated runs. They optimize these modules in debug builds too, but
/// keep their assertions: the suite then runs five times as fast in simulation, and the build takes a third longer.
/// SwiftPM rejects unsafe flags in dependencies, so a checkout within another package is built without them.
let optimized: [SwiftSetting] =
    Context.packageDirectory.contains("/checkouts/")
    ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// Declares a library target of this package. A module may use only modules of lower layers; the tidy tests check
/// targets and imports.
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

/// The packages that TLS needs. They contain two copies of BoringSSL, which take longer to build than everything else
/// together.
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
        // Libraries of the system
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
        // Layer 0: values that all layers share (time, seeds, identities, JSON), and zlib streams
        module("SquallCore", layer: 0, isOptimized: true),
        module("Deflate", layer: 0, uses: ["CZlib"]),
        // Layer 1: codecs for HTTP/1.1 heads, WebSocket frames and MQTT packets
        module("WebSocketWire", layer: 1, uses: ["SquallCore", "Deflate"], isOptimized: true),
        module("MQTTWire", layer: 1, uses: ["SquallCore"]),
        // Layer 2: the chat protocol, faults on a link, and traces
        module("ChatWire", layer: 2, uses: ["SquallCore", "Deflate", "WebSocketWire", "MQTTWire"], isOptimized: true),
        module("Faults", layer: 2, uses: ["SquallCore", "WebSocketWire"], isOptimized: true),
        module("Trace", layer: 2, uses: ["SquallCore"], isOptimized: true),
        // Layer 3: the state machines of the chat client and server, and the protocol of clients under test
        module(
            "ReferenceClient",
            layer: 3,
            uses: ["SquallCore", "WebSocketWire", "ChatWire", "Faults"],
            isOptimized: true
        ),
        module(
            "FakeServer",
            layer: 3,
            uses: ["SquallCore", "WebSocketWire", "MQTTWire", "ChatWire", "Faults"],
            isOptimized: true
        ),
        module("Adapter", layer: 3, uses: ["SquallCore", "WebSocketWire", "ChatWire"]),
        // Layer 4: evaluation with formulas, monitors and invariants
        module("TemporalLogic", layer: 4, uses: ["SquallCore", "Trace"], isOptimized: true),
        // Layer 5: scenarios as validated values and their runs, conformance cases as data, and TLS without I/O
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
        // Layer 6: random scenarios and their shrinking, reports as text and HTML, and real sockets
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
                "SquallCore", "Deflate", "WebSocketWire", "ChatWire", "Trace", "TemporalLogic", "ScenarioModel",
                "Conformance",
            ],
            resources: [.embedInCode("HTML/Page"), .embedInCode("HTML/Panel"), .embedInCode("HTML/Comparison")]
        ),
        module("Sockets", layer: 6, uses: ["SquallCore", "Faults", "TLSLink", nioCore, nioPosix]),
        // Layer 7: conversion between YAML and scenarios, and clients that are separate processes
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
        // Layer 8: the simulated and the live world, which transport bytes and advance time; the proxy with Toxiproxy's
        // API; links that lose IP packets; the page of a run in progress
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
        // Layer 9: the library that the command line and other packages' tests call
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
        // Layer 10: the library for other packages' tests, and the command line
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
        // The example is also a separate package; here it is built and run as one module with its tests.
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
        // The carrier of the adapter protocol for Swift apps, which is also a separate package.
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
