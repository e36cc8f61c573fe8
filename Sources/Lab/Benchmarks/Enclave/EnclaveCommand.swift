import ArgumentParser
import LinuxSystem
import PluginHosting
import Protocol

struct EnclaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enclave",
    abstract: "Measure what the enclave adds to the cryptography that it does.",
    discussion: """
      Seals and opens items of one size, and signs a digest: by libcrypto alone (one key derived, \
      AES-256-GCM; ECDSA with a key at hand), by the enclave in this process, and by the enclave in its \
      host, behind its mailbox. The three take turns, so that their ratios hold on a busy machine. \
      "ratios" compares the enclave with libcrypto, both in this process; "mailboxMicroseconds" is what \
      the host adds. "hostMemoryKiB" is what the host has in use (PSS) after an unlock, and is told to \
      root alone.
      """)

  @Option(help: "How many of each.") var runs = 2000
  @Option(help: "How long each secret is, in bytes.") var size = 64

  func validate() throws {
    try check(runs, in: 10...1_000_000, "--runs")
    try check(size, in: 0...largestItemSecret, "--size")
  }

  func run() throws {
    let folder = try ScratchFolder()
    do throws(Failure) {
      let installation = Installation.current(isService: false)
      var benchmark = try EnclaveBenchmark(secretSize: size, in: folder.path, of: installation)
      try benchmark.run(runs)
      print(benchmark.json)
    } catch {
      throw BenchmarkFailure(error.message)
    }
  }
}

/// Seals, opens and signs in turn: by libcrypto alone, by an enclave in this process, and by one in
/// a host.
private struct EnclaveBenchmark: ~Copyable {
  /// The times of one path.
  private struct Times {
    var (seal, open, sign) = (Sample(), Sample(), Sample())

    var json: JSON { Self.each { self[keyPath: $0].json(in: .microseconds(1)) } }

    static func each(_ value: (KeyPath<Times, Sample>) -> JSON) -> JSON {
      ["seal": value(\.seal), "open": value(\.open), "sign": value(\.sign)]
    }
  }

  private var loaded: LoadedEnclave
  private var hosted: HostedEnclave
  private let bare: BareCryptography
  private let loadedKey: GeneratedKey
  private let hostedKey: GeneratedKey
  private let secret: SecretBytes
  private let secretSize: Int
  private var runs = 0
  private var bareTimes = Times()
  private var loadedTimes = Times()
  private var hostedTimes = Times()
  private var mailbox = Sample()
  private var unlock = Sample()
  /// KiB, or nil if it cannot be read.
  private let idleMemory: Int?

  /// How often a passcode is given; each time takes some 80 ms.
  private static let unlocks = 9

  /// Makes two unlocked enclaves with a passcode.
  init(secretSize: Int, in folder: String, of installation: Installation) throws(Failure) {
    let file = try installation.search.engine(.enclave)
    var loaded = try LoadedEnclave(file, folder: folder + "/loaded")
    _ = try loaded.ask(EnclaveRequests.setPasscode)
    var hosted = try Self.unlockedHost(of: file, folder: folder + "/hosted", in: installation)
    _ = try hosted.ask(EnclaveRequests.closeContext)
    let bare = try BareCryptography()
    let idleMemory = ResidentMemory.share(of: hosted.process)
    let (loadedKey, hostedKey) = (try Self.key(of: &loaded), try Self.key(of: &hosted))
    self.idleMemory = idleMemory
    self.loadedKey = loadedKey
    self.hostedKey = hostedKey
    self.loaded = loaded
    self.hosted = hosted
    self.bare = bare
    secret = SecretBytes(count: secretSize)
    self.secretSize = secretSize
  }

  /// The second start of an enclave, without the traces of setting the passcode, which measures how
  /// long one takes.
  private static func unlockedHost(
    of file: TrustedFile, folder: String, in installation: Installation
  ) throws(Failure) -> HostedEnclave {
    var first = try HostedEnclave(file, folder: folder, in: installation)
    _ = try first.ask(EnclaveRequests.setPasscode)
    first.end()
    var second = try HostedEnclave(file, folder: folder, in: installation)
    _ = try second.ask(EnclaveRequests.openContext)
    _ = try second.ask(EnclaveRequests.unlock)
    return second
  }

  mutating func run(_ runs: Int) throws(Failure) {
    self.runs = runs
    for _ in 0..<Self.unlocks {
      _ = try hosted.ask(EnclaveRequests.lock)
      _ = try hosted.ask(EnclaveRequests.openContext)
      let request = EnclaveRequests.unlock
      _ = try unlock.measure { () throws(Failure) in try hosted.ask(request) }
      _ = try hosted.ask(EnclaveRequests.closeContext)
    }
    for _ in 0..<runs {
      let sealed = try bareTimes.seal.measure { () throws(Failure) in try bare.seal(secret) }
      _ = try bareTimes.open.measure { () throws(Failure) in try bare.open(sealed) }
      try bareTimes.sign.measure { () throws(Failure) in try bare.sign(EnclaveRequests.digest) }
      try Self.measure(&loaded, secret, loadedKey, &loadedTimes)
      try Self.measure(&hosted, secret, hostedKey, &hostedTimes)
      let request = EnclaveRequests.status
      _ = try mailbox.measure { () throws(Failure) in try hosted.ask(request) }
    }
  }

  private static func measure<Path: EnclavePath & ~Copyable>(
    _ path: inout Path, _ secret: borrowing SecretBytes, _ key: GeneratedKey,
    _ times: inout Times
  ) throws(Failure) {
    let seal = EnclaveRequests.seal(secret)
    let reply = try times.seal.measure { () throws(Failure) in try path.ask(seal) }
    guard let sealed = try? SealedItem.decode(reply.bytes) else {
      throw Failure(.engineFailed, "The enclave did not seal the item")
    }
    let open = EnclaveRequests.open(sealed)
    let opened = try times.open.measure { () throws(Failure) in try path.ask(open) }
    guard opened.bytes[0] == OpenedItem.number else {
      throw Failure(.engineFailed, "The enclave did not open the item")
    }
    let sign = EnclaveRequests.sign(with: key)
    let used = try times.sign.measure { () throws(Failure) in try path.ask(sign) }
    guard used.bytes[0] == KeyUsed.number else {
      throw Failure(.engineFailed, "The enclave did not sign")
    }
  }

  private static func key<Path: EnclavePath & ~Copyable>(
    of path: inout Path
  ) throws(Failure) -> GeneratedKey {
    let reply = try path.ask(EnclaveRequests.generateKey)
    guard let key = try? GeneratedKey.decode(reply.bytes) else {
      throw Failure(.engineFailed, "The enclave made no key")
    }
    return key
  }

  /// Times, what the enclave adds to libcrypto as a ratio, and what its mailbox adds to that.
  var json: JSON {
    let (bare, loaded, hosted) = (bareTimes, loadedTimes, hostedTimes)
    let unit = Duration.microseconds(1)
    return [
      "secretBytes": JSON(secretSize), "runs": JSON(runs),
      "microseconds": [
        "bare": bare.json, "enclave": loaded.json, "hosted": hosted.json,
        "emptyRequest": mailbox.json(in: unit),
      ],
      "ratios": Times.each { rounded(loaded[keyPath: $0].median / bare[keyPath: $0].median) },
      "mailboxMicroseconds": Times.each {
        rounded((hosted[keyPath: $0].median - loaded[keyPath: $0].median) / unit)
      },
      "unlockMilliseconds": unlock.json(in: .milliseconds(1)),
      "hostMemoryKiB": idleMemory.map { JSON($0) } ?? .null,
    ]
  }
}
