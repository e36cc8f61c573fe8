# authcore: `make run` and `make test` do everything on a fresh Debian 12 with a Swift 6.3 toolchain.

.PHONY: build deb docs install uninstall run test test-all test-durability test-endurance test-compatibility test-memory test-pam test-cryptokit test-openssh test-hotplug test-deb test-guest test-tpm test-sandbox sanitize fuzz accuracy generated format clean packages

packages:
	@scripts/install-packages

# The release build: programs and plugins, in .build/release.
build: packages
	AUTHCORE_COMMIT="$$(scripts/build-commit)" swift build --configuration release
	@scripts/build-pam

# DocC archives of the libraries for applications, in .build/docs. docc comes with the toolchain.
docs: packages
	swift build
	@scripts/make-docs

# Installs into DESTDIR/PREFIX (/usr/local). `sudo make install` takes what `make build` left. See scripts/install.
PREFIX ?= /usr/local
install:
	@if command -v swift >/dev/null && { [ ! -d .build ] || [ -O .build ]; }; then $(MAKE) --no-print-directory build; fi
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install

# Debian packages, in .build/deb.
deb: build
	@scripts/install-packages deb
	@scripts/build-deb

uninstall:
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/uninstall

# The guided session with synthetic prints, on a state folder that is removed afterwards. Needs no reader and no person. It uses a debug
# build, which is quicker to make; matcher and drivers are optimized in both.
run: packages
	@scripts/build-core debug
	@scripts/run-demonstration .build/debug

# Checks of the sources, a debug build and all tests, those of whole programs on a release build of the core. See scripts/test.
test: packages
	@scripts/test

# Every other target that tests something, with a table of results at the end. Takes an hour or more. See scripts/test-all.
test-all: packages
	@MAKE="$(MAKE)" scripts/test-all

# Every moment of a loss of power, 10,000 killed keychains and 500 killed cores; make test tries a part. Takes hours. DURABILITY names
# suites.
DURABILITY ?= PowerLossTests|FullDiskTests|KillTests|KilledCoreTests|RepairTests
test-durability: packages
	AUTHCORE_DURABILITY=full scripts/test --filter "$(DURABILITY)"

# What a core does for months, on a release build: compares what its processes take before and after. make test does it with 1,000
# touches. Takes about an hour, as root, who sees the descriptors of hosts.
ENDURANCE ?= 100000
test-endurance: packages
	swift build --build-tests
	scripts/build-core
	AUTHCORE_ENDURANCE=$(ENDURANCE) AUTHCORE_TPM=off AUTHCORE_PRODUCTS="$$PWD/.build/release" \
	  "$$(swift build --show-bin-path)/authcorePackageTests.xctest" --testing-library swift-testing --filter EnduranceTests

# Builds programs, drivers, a policy engine, state and backups of an earlier commit, and tries them with the release of this one.
test-compatibility: build
	@scripts/test-compatibility

# Searches the memory of command, core and hosts for planted secrets and prints. As root; make test as root does it too.
test-memory: packages
	swift build --build-tests
	scripts/build-core
	@scripts/test-memory

# The PAM module in a mount namespace of its own: hostile services, a terminal, a real sudo. As root; make test as root does it
# too.
test-pam: packages
	swift build
	@scripts/test-pam .build/debug

# CryptoKit in packages for Apple's systems, with the SDK and fetched. Builds swift-crypto three times.
test-cryptokit: packages
	swift build
	@scripts/test-packages .build/debug cryptokit

# OpenSSH's own tests of agents, through ours. As root.
test-openssh: packages
	@scripts/install-packages openssh
	swift build
	@scripts/test-openssh .build/debug

# A simulated reader, plugged in and out of a guest with a real kernel, udev and libusb. Needs the guest kit of AUTHCORE_SHARED.
test-hotplug: packages
	swift build
	@scripts/test-in-guest hotplug

# The packages of `make deb`: checked, and installed, upgraded, removed and purged in a bare Debian 12. As root.
test-deb: deb
	@scripts/test-deb

# The packages in a Debian 12 with its own systemd, in a guest. As root; needs the guest kit of AUTHCORE_SHARED.
test-guest: deb
	@scripts/test-guest

# What plugins can reach, in a guest with Debian's kernel and its Landlock. Needs the guest kit of AUTHCORE_SHARED.
test-sandbox: packages
	swift build --build-tests
	@scripts/test-in-guest sandbox

# A root key in the TPM of a guest's kernel. Needs the same kit.
test-tpm: packages
	swift build
	@scripts/test-in-guest tpm

# The tests of the light modules with the address sanitizer, which looks for no leaks: tests that end their process on purpose leave what
# they hold. The thread sanitizer does not know Swift's Mutex on Linux and reports all that it guards.
sanitize: packages
	AUTHCORE_SANITIZE=1 ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build-sanitize-address \
	  --filter '^(CryptoTests|PolicyTests|ProtocolTests)\.|^MatchingTests\.GrayImage'

# Each fuzzer for FUZZ_SECONDS seconds (default 30) or FUZZ_RUNS inputs; FUZZ_ONLY names one.
fuzz: packages
	@scripts/fuzz

# The figures of docs/accuracy.md, from synthetic prints and, if they are there, from those of FVC2002.
accuracy: packages
	swift build --configuration release --product authcore-bench
	@scripts/measure-accuracy

# Generated files that are kept in the repository: code, tables, lists and pictures. `make test` checks them.
generated: packages
	@scripts/make-embedded-files && scripts/make-protocol && scripts/make-statuses && scripts/make-module-graph

format:
	swift format --in-place --recursive Package.swift Sources Plugins Drivers Tests Examples

clean:
	rm -rf .build .build-sanitize-* .build-fuzz
