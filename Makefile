# `make run` and `make test` are enough to use Squall; the other targets are for contributors.
SWIFT ?= swift
# TLS is a trait of the package, and building it takes longer than all the rest. `make run` builds without it until
# `make test` has built with it; then both use the same build, because a change of traits rebuilds all of Squall.
TRAITS = $(if $(wildcard .build/with-tls),--traits TLS)
BUILD = $(SWIFT) build $(TRAITS)
SQUALL := .build/debug/squall

# Runs tests with the given options and, optionally, environment variables. The output of thousands of tests is long, so
# the slowest tests and the failures are printed at the end. Swift Testing starts all tests at once and includes their
# waiting time in their durations, so those durations are left out; the durations of the slowest tests do not include
# it. They are known only for tests with the trait `.ownThread`.
define test
@mkdir -p .build
@{ SQUALL_TEST_TIMES=.build/test-times.txt $(2) $(SWIFT) test --disable-xctest $(1); echo $$? > .build/test.status; } 2>&1 | \
	tee .build/test.log | awk '!/Test run with/ { sub(/ after [0-9.]+ seconds/, "") } { print; fflush() }'; \
	status=$$(cat .build/test.status); \
	echo; echo "Slowest of the tests on their own threads:"; sort -rn .build/test-times.txt | head -n 8; \
	if [ "$$status" != 0 ]; then \
		echo; echo "Failed:"; grep -a -e '^✘ Test ".* recorded an issue' -e ': error: ' -e '^error: ' .build/test.log | cut -c 1-400; \
	fi; exit $$status
endef

.PHONY: run test test-without-tls churn coverage perturb report-card report-card-quick soak mutants explore-bench bench bench-page bench-proxy dist format lint clean packages test-packages with-tls

run: packages
	$(BUILD) --product squall
	$(SQUALL) run Scenarios --world both

# What `make test` writes for `make coverage`: the events of its two test runs.
TEST_EVENTS := .build/test-events.jsonl .build/test-events-of-clients.jsonl
RECORDS = --event-stream-version 0 --event-stream-output-path

# The clients in these tests run on the threads of the test process, so these tests run in a separate process, in which
# no other test can delay them.
test: test-packages with-tls
	@rm -f $(TEST_EVENTS)
	$(call test,--traits TLS --skip-build $(RECORDS) $(word 1,$(TEST_EVENTS)) --skip 'ExampleTests|SquallTestingTests')
	$(call test,--traits TLS --skip-build $(RECORDS) $(word 2,$(TEST_EVENTS)) --filter 'ExampleTests|SquallTestingTests')

# Tests a build of Squall without TLS: it works, and its error messages say that TLS is missing.
test-without-tls: test-packages with-tls
	$(SWIFT) build --product squall --scratch-path .build-without-tls
	$(call test,--traits TLS --skip-build --filter WithoutTLSTests,SQUALL_WITHOUT_TLS=.build-without-tls/debug/squall)

# Opens and closes connections through the proxy for one minute, and checks that memory and descriptors do not grow. It
# runs in a process of its own, because other tests would change the figures.
churn: test-packages with-tls
	SOAK_SECONDS=60 $(SWIFT) test --disable-xctest --traits TLS --skip-build --filter churnLeavesNothingBehind

# Measures which audit rows the scenarios prove. Fails if a row of the baseline is no longer proven or if an expectation
# cannot fail. Rows that rest on unit tests are verified if `make test` has run.
coverage: packages
	$(BUILD) --product squall
	$(SQUALL) coverage Scenarios --brief --baseline Fixtures/coverage.txt $(addprefix --tests ,$(wildcard $(TEST_EVENTS)))
	$(SQUALL) check Scenarios --prove

# Repeats some cases, each with one perturbation of the network or of a message. `make soak` runs all kinds of
# perturbation at all places.
perturb: packages
	$(BUILD) --product squall
	$(SQUALL) run Scenarios --perturb drop,blackhole,handoff,duplicate,late --sample 300 --findings .build/perturbed

# Runs Scenarios/libraries against real libraries, each in its own Python environment, and writes one page.
report-card: packages
	$(BUILD) --product squall
	python3 Examples/clients/report_card.py $(SQUALL) --herd

# Tests two duties of four libraries, for CI.
report-card-quick: packages
	$(BUILD) --product squall
	python3 Examples/clients/report_card.py $(SQUALL) --strict --out .build/report-card-quick \
		--only python_websockets socket_io socket_io_polling mqtt_paho --duty returns-after-a-restart keeps-secrets-out-of-addresses

# Runs long checks, started by hand: the conformance verdicts of six endpoints of four libraries compared with recorded
# ones, and Squall's own through its proxy; a build without TLS; fuzzing with new seeds; the example package as its own
# package; every case under perturbed schedules and with every perturbation; twenty live suites in a row; the proxy's
# robustness for ten minutes.
soak: packages with-tls
	$(MAKE) test-without-tls
	SQUALL_SOAK=1 $(SWIFT) test --disable-xctest --traits TLS --filter ConformanceRunnerTests
	SQUALL_SOAK=1 $(SWIFT) test --disable-xctest --traits TLS --filter 'FuzzTests|RoundTripTests|SessionScriptTests|DeterminismTests'
	SQUALL_SOAK=1 $(SWIFT) test --disable-xctest --traits TLS --filter 'PanelSoakTests|StandaloneClientTests'
	$(SWIFT) test --disable-xctest --package-path Examples/swift-testing --scratch-path .build/example
	rm -f Examples/swift-testing/Package.resolved
	$(SWIFT) build -c release --traits TLS --product squall
	.build/release/squall check Scenarios --races
	.build/release/squall run Scenarios --perturb all --findings .build/perturbed
	.build/release/squall run Scenarios --world live --repeat 20
	SOAK_SECONDS=600 $(SWIFT) test --disable-xctest --traits TLS --filter RobustnessTests

# Plants small changes in the reference client and the fake server, and reports which of them the scenarios, perturbed
# runs and random scenarios detect. This takes hours. COUNT=100 plants fewer changes, SEED=2 selects others,
# ARGUMENTS="--held-out" adds options. Ctrl-C prints the results so far.
mutants: packages
	$(SWIFT) run --package-path Benchmarks/Mutants --scratch-path .build-mutants/tool mutants \
		$(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED)) $(ARGUMENTS)

# Measures how many planted defects exploration finds, and how often it reports a violation of the client without
# defects; by default for three minutes. ARGUMENTS="--runs 100 --for 20m" changes that.
explore-bench: packages
	$(SWIFT) build -c release $(TRAITS) --product squall
	.build/release/squall explore bench $(ARGUMENTS)

bench: packages
	$(SWIFT) run -c release SquallBenchmark Scenarios

# Measures the report page of the whole suite: its size, and the time to its first content in Chromium at a quarter of
# the processor's speed. REPORT=DIR measures an existing report, such as one of 5,000 runs.
bench-page: test-packages with-tls
	$(if $(REPORT),,-$(SQUALL) run Scenarios --world both --report .build/page)
	SQUALL_PAGE=$(or $(REPORT),.build/page) $(SWIFT) test --disable-xctest --traits TLS --skip-build --filter PageWeightTests

# Compares the proxy with HAProxy and nginx, if they are installed, and with Toxiproxy, if TOXIPROXY is the path of its
# server. This takes five minutes. ONLY="throughput,direct,squall" selects rows and columns, ROUNDS=3 sets the number of
# rounds, TLS=1 builds Squall with TLS and adds rows with TLS. Ctrl-C prints the results so far.
bench-proxy: packages
	$(SWIFT) build -c release $(if $(TLS),--traits TLS) --product squall
	$(SWIFT) build -c release $(if $(TLS),--traits TLS) --product ProxyBenchmark
	.build/release/ProxyBenchmark .build/release/squall $(if $(ONLY),--only "$(ONLY)") $(if $(ROUNDS),--rounds $(ROUNDS))

# Builds an archive and, on Debian and Ubuntu, a package, neither of which needs Swift at run time. `.ci/try-archive
# FOLDER` tests both.
dist: packages
	$(SWIFT) build -c release --traits TLS $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib) --product squall
	.ci/archive .build/release/squall

format:
	$(SWIFT) format --in-place --parallel --recursive Sources Tests Benchmarks Package.swift

lint:
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Benchmarks Package.swift

clean:
	rm -rf .build .build-without-tls

packages:
	@.ci/packages

test-packages:
	@.ci/packages test

with-tls:
	$(SWIFT) build --build-tests --traits TLS
	@touch .build/with-tls
