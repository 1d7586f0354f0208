# `make run` and `make test` are all that a newcomer needs; the rest is for contributors.
SWIFT ?= swift
# TLS is a trait of the package: it takes longer to build than all the rest of a first build. `make run` does without it until
# `make test` has built it; from then on both share one build, since going from one to the other builds all of Squall anew.
TRAITS = $(if $(wildcard .build/with-tls),--traits TLS)
BUILD = $(SWIFT) build $(TRAITS)
SQUALL := .build/debug/squall

.PHONY: run test test-without-tls churn coverage soak bench bench-proxy dist format lint clean packages test-packages with-tls

run: packages
	$(BUILD) --product squall
	$(SQUALL) run Scenarios --world both

# Clients within the tests share the process's threads with all others: they are judged in a process of their own, where nobody keeps them from
# their work.
test: test-packages with-tls
	$(SWIFT) test --disable-xctest --traits TLS --skip-build --skip 'ExampleTests|SquallTestingTests'
	$(SWIFT) test --disable-xctest --traits TLS --skip-build --filter 'ExampleTests|SquallTestingTests'

# What only a build without TLS can show: that it stands, and says what it lacks.
test-without-tls: test-packages
	$(SWIFT) test --disable-xctest --filter 'WithoutTLS|SecureServeTests|SecureRunTests|UpdateTests'

# Connections through the proxy come and go for a minute; memory and descriptors stay what they were. Behind `make test`, and alone in its process:
# others' would be in its figures.
churn: test-packages with-tls
	SOAK_SECONDS=60 $(SWIFT) test --disable-xctest --traits TLS --skip-build --filter churnLeavesNothingBehind

# What the scenarios prove of the audits' rows; refuses less than the baseline says.
coverage: packages
	$(BUILD) --product squall
	$(SQUALL) coverage Scenarios --brief --baseline Fixtures/coverage.txt

# Twenty live suites in a row and every case under shifted schedules; conformance verdicts on six endpoints of four libraries
# against recorded ones, Squall's own through its proxy; fuzzing with new chance; the example package as somebody else would build it, whose code
# `make test` has among its own: minutes, run by hand.
soak: packages with-tls
	SQUALL_SOAK=1 $(SWIFT) test --disable-xctest --traits TLS --filter ConformanceRunnerTests
	SQUALL_SOAK=1 $(SWIFT) test --disable-xctest --traits TLS --filter FuzzTests
	$(SWIFT) test --disable-xctest --package-path Examples/swift-testing --scratch-path .build/example
	rm -f Examples/swift-testing/Package.resolved
	$(SWIFT) build -c release --traits TLS --product squall
	.build/release/squall check Scenarios --races
	.build/release/squall run Scenarios --world live --repeat 20
	SOAK_SECONDS=600 $(SWIFT) test --disable-xctest --traits TLS --filter RobustnessTests

bench: packages
	$(SWIFT) run -c release SquallBenchmark Scenarios

# Beside HAProxy and nginx where they are installed, and Toxiproxy where TOXIPROXY is the path of its server. Five minutes for all;
# ONLY="throughput,direct,squall" for some rows and columns, ROUNDS=3. ^C prints what there is until then. TLS=1 builds Squall with
# TLS, and the rows with TLS are there too.
bench-proxy: packages
	$(SWIFT) build -c release $(if $(TLS),--traits TLS) --product squall
	$(SWIFT) build -c release $(if $(TLS),--traits TLS) --product ProxyBenchmark
	.build/release/ProxyBenchmark .build/release/squall $(if $(ONLY),--only "$(ONLY)") $(if $(ROUNDS),--rounds $(ROUNDS))

dist: packages
	$(SWIFT) build -c release --traits TLS --product squall
	install -d dist/bin
	install .build/release/squall dist/bin/squall
	install -d dist/share/squall/catalogue
	install -m 644 Fixtures/catalogue/*.yaml dist/share/squall/catalogue

format:
	$(SWIFT) format --in-place --parallel --recursive Sources Tests Benchmarks Package.swift

lint:
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Benchmarks Package.swift

clean:
	rm -rf .build

packages:
	@.ci/packages

test-packages:
	@.ci/packages test

with-tls:
	$(SWIFT) build --build-tests --traits TLS
	@touch .build/with-tls
