import CTestSupport
import Foundation
import Glibc
import Protocol
import SyntheticPrints
import Testing

/// Adding is cut short wherever it writes, by a limit on the length of files: the kernel ends the
/// process in the middle of the write that goes beyond it (setrlimit(2)).
@Suite("A crash while adding")
struct CrashTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static func service(_ number: Int) -> String { "service \(number)" }
  private static func secret(_ number: Int) -> String {
    "secret \(number) " + String(repeating: "s", count: number * 97 % 3000)
  }

  /// Adds items until the process is ended, and notes each that was acknowledged with a byte.
  private static func addUntilTheEnd(in path: String, limit: Int) throws {
    var files = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
    var cores = rlimit(rlim_cur: 0, rlim_max: 0)
    // Whoever started the tests may have it ignored, and threads of a pool block it.
    signal(SIGXFSZ, SIG_DFL)
    var deadly = sigset_t()
    unsafe sigemptyset(&deadly)
    unsafe sigaddset(&deadly, SIGXFSZ)
    unsafe pthread_sigmask(SIG_UNBLOCK, &deadly, nil)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &cores)
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &files) == 0)
    let notes = unsafe open(path + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let keychain = try TestKeychain(path: path)
    for number in 0... {
      try keychain.add(service(number), secret: secret(number))
      var byte: UInt8 = 1
      try #require(unsafe write(notes, &byte, 1) == 1)
    }
  }

  // From the first pages to a log that has been lengthened several times; odd lengths, so that
  // pages, frames and the zeros behind them are cut.
  @Test(
    "K1: a keychain that dies in any write has each item it acknowledged, and no half one",
    arguments: Array(stride(from: 40_001, through: 420_001, by: 47_501)))
  func killed(limit: Int) async throws {
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGXFSZ)) {
      [path = path as String, limit = limit as Int] in
      try Self.addUntilTheEnd(in: path, limit: limit)
    }
    let acknowledged = (try? contents(of: path + "/acknowledged").count) ?? 0
    let keychain = try TestKeychain(folder)
    let items = (try? keychain.find()) ?? []
    #expect(acknowledged...acknowledged + 1 ~= items.count)
    #expect(items.map(\.service) == (0..<items.count).map(Self.service))
    for (number, item) in items.enumerated() {
      #expect(try keychain.get(query(item.service)) == Self.secret(number))
    }
    // What was cut off hinders nothing that comes after it.
    try keychain.add(Self.service(items.count), secret: "after")
    #expect(try keychain.get(query(Self.service(items.count))) == "after")
  }

  @Test("an enclave that is gone before, or lies in, the one message of an add leaves nothing")
  func enclaveFails() throws {
    let keychain = try TestKeychain(folder)
    keychain.host.isEnclaveGone = true
    #expect(try code { try keychain.add("mail") } == .engineFailed)
    keychain.host.isEnclaveGone = false
    keychain.enclave.intrusion = { _ in [99] }
    #expect(try code { try keychain.add("mail") } == .engineFailed)
    keychain.enclave.intrusion = nil
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
    try keychain.add("mail", secret: "whole")
    #expect(try keychain.get(query("mail")) == "whole")
  }
}

@Suite("Killed processes", .timeLimit(.minutes(60)))
struct KillTests {
  // In a process of its own: its children begin as copies of it, which is quick and wants no other
  // thread at work.
  @Test(
    "K1: whenever a keychain is killed (kill -9), what it answered is there, and nothing by halves")
  func anyMoment() async throws {
    await #expect(processExitsWith: .success) {
      let count = Thoroughness.number(100, full: 10_000)
      var herd = try KilledHerd(seeds: Thoroughness.number(4, full: 50), requests: 10)
      for round in 0..<count { try herd.kill(round) }
      Thoroughness.report(
        """
        kill -9: \(count) processes, \(herd.killed) killed before they were done, half of them in a \
        system call and half by the clock; \(herd.answered) requests were answered
        """)
      for wrong in herd.wrong { print(wrong) }
      guard herd.wrong.isEmpty, herd.killed > count / 2 else { exit(1) }
    }
  }
}

/// Keychains that are asked for the same as one that lives, and killed meanwhile.
private struct KilledHerd {
  private let seeds: [UInt64]
  private let requests: Int
  /// What there is after each request that was answered, by seed.
  private let outlines: [[[String]]]
  /// How many times each run asks the kernel for something, and how long it takes.
  private let calls: [Int]
  private let microseconds: [Int]
  /// Which request was answered last, in memory that parent and child share.
  private let counter: Counter
  private var generator = RandomNumbers(seed: 77)

  private(set) var killed = 0
  private(set) var answered = 0
  private(set) var wrong: [String] = []

  init(seeds count: Int, requests: Int) throws {
    seeds = (1...count).map(UInt64.init)
    self.requests = requests
    counter = try Counter()
    var (outlines, calls, microseconds): ([[[String]]], [Int], [Int]) = ([], [], [])
    for seed in seeds {
      let folder = try TestFolder()
      let disk = try SimulatedDisk(under: folder.path)
      let start = ContinuousClock.now
      var seen: [[String]] = []
      try Self.ask(seed, requests, in: folder) { keychain in seen.append(try keychain.outline()) }
      microseconds.append(Int((ContinuousClock.now - start) / .microseconds(1)))
      calls.append(disk.events.count)
      disk.end()
      outlines.append([[]] + seen)
    }
    (self.outlines, self.calls, self.microseconds) = (outlines, calls, microseconds)
  }

  private static func ask(
    _ seed: UInt64, _ requests: Int, in folder: TestFolder,
    answered: (TestKeychain) throws -> Void
  ) throws {
    let keychain = try TestKeychain(folder)
    var workload = Workload(seed: seed)
    for _ in 0..<requests where try workload.step(keychain) { try answered(keychain) }
  }

  /// Starts one process more, has it killed, and looks at what it left.
  mutating func kill(_ round: Int) throws {
    let index = round % seeds.count
    let folder = try TestFolder()
    let inACall = round / seeds.count % 2 == 0
    let call = Int.random(in: 0...calls[index], using: &generator)
    let delay = Int.random(in: 0...microseconds[index] / 2, using: &generator)
    counter.value = 0
    let child = tap_fork()
    guard child != 0 else {
      alarm(60)
      var code: Int32 = 0
      do {
        if inACall { try SimulatedDisk(under: folder.path).killsAtCall(call) }
        try Self.ask(seeds[index], requests, in: folder) { _ in counter.value += 1 }
      } catch {
        code = 3
      }
      _exit(code)
    }
    if !inACall {
      usleep(UInt32(delay))
      Glibc.kill(child, SIGKILL)
    }
    var status: Int32 = 0
    guard unsafe waitpid(child, &status, 0) == child else { throw Failure(.coreFailed, "waitpid") }
    if status & 0x7F == SIGKILL {
      killed += 1
    } else if status != 0 {
      wrong.append("round \(round): ended with \(status)")
    }
    let count = Int(counter.value)
    answered += count
    let allowed = outlines[index][count...].prefix(2)
    let left = try TestKeychain(folder)
    let outline = try left.outline()
    if !allowed.contains(outline) || !left.host.logged.isEmpty {
      wrong.append("round \(round), \(count) answered: \(outline), not \(allowed)")
    }
    try left.add("after", "the end")
  }
}

/// A number that a process and its children share (mmap(2)).
@safe private struct Counter {
  private let page: UnsafeMutablePointer<Int>

  init() throws {
    let size = Int(getpagesize())
    guard
      let page = unsafe mmap(
        nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
      unsafe page != MAP_FAILED
    else { throw Failure(.coreFailed, "mmap") }
    unsafe self.page = page.assumingMemoryBound(to: Int.self)
  }

  var value: Int {
    get { unsafe page.pointee }
    nonmutating set { unsafe page.pointee = newValue }
  }
}
