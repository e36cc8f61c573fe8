# authcore: `make run` and `make test` do everything on a fresh Debian 12 with a Swift 6.3 toolchain.

.PHONY: build deb docs install uninstall run test test-all test-durability test-endurance test-compatibility test-memory test-pam test-hotplug test-deb test-guest test-tpm test-sandbox sanitize fuzz accuracy generated format clean packages

packages:
	@scripts/install-packages

# The release build: authcore, authcored, authcore-host, authcore-bench and every plugin, in .build/release.
build: packages
	AUTHCORE_COMMIT="$$(scripts/build-commit)" swift build --configuration release
	@scripts/build-pam

# What is made of the sources, in .build/docs: archives of DocC for the libraries, the messages, the C ABI, the requirements.
docs: packages
	swift build
	@scripts/make-docs

# Into DESTDIR/PREFIX (/usr/local), as a package would hold it; `sudo make install` takes what `make build` left. See scripts/install.
PREFIX ?= /usr/local
install:
	@if command -v swift >/dev/null && { [ ! -d .build ] || [ -O .build ]; }; then $(MAKE) --no-print-directory build; fi
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install

# Debian packages of that, in .build/deb.
deb: build
	@scripts/install-packages deb
	@scripts/build-deb

uninstall:
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/uninstall

# The guided session with synthetic prints on a state folder that is gone afterwards. Needs no reader and no person. Builds what that
# needs as `make test` does, which is quicker than the release; matcher and drivers are optimized in either.
run: packages
	@scripts/build-core debug
	@scripts/run-demonstration .build/debug

# One debug build, its tests, the header checks and the end-to-end suite.
test: packages
	@scripts/test

# Every other target that tests something, with a table of results at the end; see scripts/test-all. Takes an hour or more.
test-all: packages
	@MAKE="$(MAKE)" scripts/test-all

# Every moment of a loss of power, 10,000 killed keychains and 500 killed cores, where make test tries a part. Takes hours; DURABILITY
# names suites.
DURABILITY ?= PowerLossTests|FullDiskTests|KillTests|KilledCoreTests|RepairTests
test-durability: packages
	AUTHCORE_DURABILITY=full scripts/test --filter "$(DURABILITY)"

# What a core does for months, on a release build, with a comparison of what its processes take before and after; make test does it
# with 1,000 touches. About an hour. As root, who sees the descriptors of hosts.
ENDURANCE ?= 100000
test-endurance: packages
	swift build --build-tests
	scripts/build-core
	AUTHCORE_ENDURANCE=$(ENDURANCE) AUTHCORE_TPM=off AUTHCORE_PRODUCTS="$$PWD/.build/release" \
	  "$$(swift build --show-bin-path)/authcorePackageTests.xctest" --testing-library swift-testing --filter EnduranceTests

# Programs, drivers, a policy engine, state and backups of an earlier commit, which it builds, with the release of this one.
test-compatibility: build
	@scripts/test-compatibility

# Searches the memory of command, core and hosts for planted secrets and prints. As root; make test does it too, then.
test-memory: packages
	swift build --build-tests
	scripts/build-core
	@scripts/test-memory

# The PAM module in a mount namespace of its own: hostile services, a terminal, a real sudo. As root; make test does it too, then.
test-pam: packages
	swift build
	@scripts/test-pam .build/debug

# A simulated reader, plugged in and out of a guest with a real kernel, udev and libusb. Needs the guest kit of AUTHCORE_SHARED.
test-hotplug: packages
	swift build
	@scripts/test-hotplug

# The packages of `make deb`: checked, and installed, upgraded, removed and purged in a bare Debian 12. As root.
test-deb: deb
	@scripts/test-deb

# The packages in a Debian 12 with its own systemd, in a guest. As root; needs the guest kit of AUTHCORE_SHARED.
test-guest: deb
	@scripts/test-guest

# What plugins can reach, in a guest with Debian's kernel and its Landlock. Needs the guest kit of AUTHCORE_SHARED.
test-sandbox: packages
	swift build --build-tests
	@scripts/test-sandbox

# A root key in the TPM of a guest's kernel. Needs the same kit.
test-tpm: packages
	swift build
	@scripts/test-tpm-guest

# The tests of the light modules with the address sanitizer.
sanitize: packages
	@scripts/sanitize

# Each fuzzer for FUZZ_SECONDS seconds (default 30) or FUZZ_RUNS inputs; FUZZ_ONLY names one.
fuzz: packages
	@scripts/fuzz

# The figures of docs/accuracy.md, from synthetic prints and, where they are, from those of FVC2002.
accuracy: packages
	swift build --configuration release --product authcore-bench
	@scripts/measure-accuracy

# What is made from the sources and kept beside them: tables, lists and pictures of the documents. `make test` checks it.
generated: packages
	@scripts/make-embedded-files && scripts/make-protocol && scripts/make-statuses && scripts/make-module-graph

format:
	swift format --in-place --recursive Package.swift Sources Plugins Drivers Tests Examples

clean:
	rm -rf .build .build-sanitize-* .build-fuzz
