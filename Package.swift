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
        dependencies: [.byName(name: name), "TestSupport"] + uses,
        swiftSettings: settings
    )
}

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")

/// What TLS needs, and nothing else: two copies of BoringSSL, which take longer to build than all the rest of a first build.
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
        // 0: words that every layer shares, and the system's libraries
        room("Foundations"),
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
        room("Deflate", uses: ["CZlib"]),
        .systemLibrary(name: "CPolling"),
        .systemLibrary(name: "CNamespaces"),
        // 1: bytes to frames and back
        room("WebSocketWire", uses: ["Foundations", "Deflate"]),
        // 2: the chat protocol, what can happen on a link, what was seen
        room("ChatWire", uses: ["Foundations", "WebSocketWire"]),
        room("Faults", uses: ["Foundations", "WebSocketWire"]),
        room("Trace", uses: ["Foundations"]),
        // 3: the machines
        room("ReferenceClient", uses: ["Foundations", "WebSocketWire", "ChatWire", "Faults"]),
        room("FakeServer", uses: ["Foundations", "WebSocketWire", "ChatWire", "Faults"]),
        room("Adapter", uses: ["Foundations"]),
        // 4: judging
        room("TemporalLogic", uses: ["Foundations", "Trace"]),
        // 5: a scenario as checked values
        room(
            "ScenarioModel",
            uses: [
                "Foundations", "Deflate", "WebSocketWire", "ChatWire", "Faults", "Trace", "ReferenceClient",
                "FakeServer",
                "Adapter",
                "TemporalLogic",
            ]
        ),
        // RFC 6455 and RFC 7692 as cases, played without I/O
        room("Conformance", uses: ["Foundations", "Deflate", "WebSocketWire", "ChatWire", "Faults"]),
        // 6: text to scenarios, runs to text, sockets
        room(
            "ScenarioLanguage",
            uses: [
                "Foundations", "ChatWire", "Faults", "Trace", "ReferenceClient", "FakeServer", "Adapter",
                "TemporalLogic",
                "ScenarioModel", .product(name: "Yams", package: "Yams"),
            ],
            resources: [.embedInCode("Profiles")]
        ),
        room(
            "Reports",
            uses: ["Foundations", "Trace", "TemporalLogic", "ScenarioModel"],
            resources: [.embedInCode("HTML/Page")]
        ),
        room("Sockets", uses: ["Foundations", "Faults", "TLSLink", nioCore, nioPosix]),
        room("TLSLink", uses: ["Foundations", "WebSocketWire", "Faults", nioCore] + tls),
        room("Processes", uses: ["Foundations", "Adapter", "Sockets", nioCore, nioPosix]),
        room(
            "ConformanceRunner",
            uses: [
                "Foundations", "WebSocketWire", "ChatWire", "Faults", "Adapter", "Conformance", "Sockets", "TLSLink",
                "Processes", nioCore, nioPosix,
            ]
        ),
        // 7: the two worlds
        room(
            "Simulation",
            uses: [
                "Foundations", "WebSocketWire", "ChatWire", "Faults", "Trace", "ReferenceClient", "FakeServer",
                "TemporalLogic", "ScenarioModel",
            ]
        ),
        room(
            "Live",
            uses: [
                "Foundations", "WebSocketWire", "ChatWire", "Faults", "Trace", "ReferenceClient", "FakeServer",
                "Adapter",
                "TemporalLogic", "ScenarioModel", "Sockets", "TLSLink", "Processes", "CLibcurl", "CLibpcap", nioCore,
                nioPosix,
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        room("Proxy", uses: ["Foundations", "WebSocketWire", "Faults", "Trace", "Sockets", "TLSLink", "CPolling"]),
        // what IP packets suffer: a machine, and the namespaces and devices between which it stands
        room("Packets", uses: ["Foundations", "CPolling", "CNamespaces"]),
        // 8: what the command and people's own tests call
        room(
            "Squall",
            uses: [
                "Foundations", "ChatWire", "Trace", "FakeServer", "Adapter", "TemporalLogic", "ScenarioModel",
                "ScenarioLanguage", "Reports", "Simulation", "Live", "TLSLink", "Processes",
            ]
        ),
        // 9
        room(
            "SquallTesting",
            uses: [
                "Foundations", "Adapter", "Trace", "TemporalLogic", "ScenarioModel", "ScenarioLanguage", "Reports",
                "Live",
                "Squall",
            ]
        ),
        .executableTarget(
            name: "SquallCommand",
            dependencies: [
                "Foundations", "Trace", "TemporalLogic", "ScenarioModel", "Reports", "Squall", "Proxy", "Packets",
                "Adapter",
                "Conformance", "ConformanceRunner", "TLSLink", "WebSocketWire", "ChatWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SquallBenchmark",
            dependencies: [
                "ChatWire", "Foundations", "ScenarioLanguage", "ScenarioModel", "Simulation", "Squall", "Trace",
            ],
            path: "Benchmarks",
            exclude: ["Proxy"],
            swiftSettings: settings
        ),
        .executableTarget(name: "ProxyBenchmark", path: "Benchmarks/Proxy", swiftSettings: settings),
        // what holds them to their word
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        tests(of: "Foundations"),
        tests(of: "Deflate"),
        tests(of: "WebSocketWire", uses: ["Foundations", "Deflate"]),
        tests(of: "ChatWire", uses: ["Foundations", "WebSocketWire"]),
        tests(of: "Faults", uses: ["Foundations", "WebSocketWire"]),
        tests(of: "Trace", uses: ["Foundations", "Packets"]),
        tests(of: "FakeServer", uses: ["Foundations", "WebSocketWire", "ChatWire", "Faults"]),
        tests(of: "Adapter", uses: ["Foundations"]),
        tests(of: "TemporalLogic", uses: ["Foundations", "Trace"]),
        tests(of: "ReferenceClient", uses: ["Foundations", "WebSocketWire", "ChatWire", "Faults"]),
        tests(
            of: "ScenarioModel",
            uses: ["Foundations", "WebSocketWire", "ChatWire", "Faults", "Adapter", "TemporalLogic", "Trace"]
        ),
        .testTarget(
            name: "ScenarioLanguageTests",
            dependencies: [
                "Foundations", "ChatWire", "Faults", "FakeServer", "ReferenceClient", "Adapter", "ScenarioLanguage",
                "ScenarioModel", "TemporalLogic", "Trace",
            ],
            exclude: ["Frames", "Mistakes"],
            swiftSettings: settings
        ),
        tests(of: "Reports", uses: ["Foundations", "ScenarioModel", "TemporalLogic", "Trace"]),
        tests(
            of: "Conformance",
            uses: ["Foundations", "WebSocketWire", "ChatWire", "Faults", "FakeServer", "ReferenceClient"]
        ),
        .testTarget(
            name: "ConformanceRunnerTests",
            dependencies: [
                "Foundations", "WebSocketWire", "ChatWire", "Faults", "FakeServer", "Adapter", "Conformance",
                "ConformanceRunner", "Proxy", "Sockets", "TLSLink", "TestSupport", nioCore, nioPosix,
            ],
            exclude: ["Peers", "Recorded"],
            swiftSettings: settings
        ),
        tests(of: "TLSLink", uses: ["Foundations", "Faults"]),
        tests(of: "Sockets", uses: ["Foundations", "Faults", "TLSLink", nioCore, nioPosix]),
        tests(
            of: "Simulation",
            uses: [
                "Foundations", "ChatWire", "Faults", "FakeServer", "ReferenceClient", "ScenarioModel", "TemporalLogic",
                "Trace",
            ]
        ),
        tests(
            of: "Live",
            uses: [
                "Foundations", "WebSocketWire", "ChatWire", "Faults", "FakeServer", "ReferenceClient", "ScenarioModel",
                "Sockets", "Trace", "CLibpcap", nioCore, nioPosix,
            ]
        ),
        tests(of: "Proxy", uses: ["Foundations", "WebSocketWire", "Faults", "Sockets", "TLSLink", "SquallCommand"]),
        tests(of: "Packets", uses: ["Foundations"]),
        tests(of: "Processes", uses: ["Adapter", "Foundations", "Sockets", nioCore, nioPosix]),
        tests(
            of: "Squall",
            uses: [
                "Adapter", "Foundations", "Live", "ReferenceClient", "ScenarioModel", "Simulation", "Trace", nioCore,
                nioPosix,
            ]
        ),
        tests(of: "SquallTesting", uses: ["Adapter", "Foundations", nioCore, nioPosix]),
        // The example is a package of its own; as one module with its tests it is built and run here, too.
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
        .testTarget(
            name: "SquallCommandTests",
            dependencies: ["Foundations", "SquallCommand", "TLSLink", "TestSupport"],
            exclude: ["Backend", "Golden"],
            swiftSettings: settings
        ),
    ]
)
