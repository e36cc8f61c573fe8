import CSystemCalls
import DriverKit
import Glibc

/// Opens, captures and closes many times, and looks for leaks.
struct RepetitionCheck {
  let loaded: LoadedTestDriver

  private static let rounds = 1000
  private static let captures = 30
  private static let warmUpRounds = 2
  private static let captureRounds = 3
  /// Rounds in which caches and the like are filled.
  private static let warmUp = 100
  /// Bytes a round; less is no leak, because malloc's smallest block has 32 bytes.
  private static let leastLeak = 8
  /// Bytes that plugging in a few devices takes in this process.
  private static let slack = 2048

  func run() throws(CheckEnd) -> String? {
    let device = try loaded.plug()
    try openAndClose(Self.warmUp, device)
    let before = ProcessCounts()
    try openAndClose(Self.rounds - Self.warmUp, device)
    let after = ProcessCounts()
    try Self.compare(
      before, after, rounds: Self.rounds - Self.warmUp, "open and close", seenIn: .opening)

    // A device model may remember what it was asked, so it is unplugged before the count.
    try captureRounds(Self.warmUpRounds)
    let idle = ProcessCounts()
    let captured = try captureRounds(Self.captureRounds)
    try Self.compare(idle, ProcessCounts(), rounds: captured, "capture", seenIn: .frames)
    return "\(Self.rounds) × open and close, \(captured) × capture"
  }

  /// Plugs in, opens, captures, closes and unplugs.
  /// - Returns: how many touches there were.
  @discardableResult
  private func captureRounds(_ count: Int) throws(CheckEnd) -> Int {
    var captured = 0
    for _ in 0..<count {
      let device = try loaded.plug()
      let sensor = try CheckedSensor.openHealthy(loaded, "a sound device")
      captured += try capture(Self.captures, sensor)
      try sensor.close("after many captures", device: device)
      loaded.unplug()
    }
    return captured
  }

  private func openAndClose(_ count: Int, _ device: WatchedDevice?) throws(CheckEnd) {
    for _ in 0..<count {
      let sensor = try CheckedSensor.openHealthy(loaded, "again and again")
      try sensor.close("again and again", device: device)
    }
  }

  /// - Returns: how many touches there were before the device had no more.
  private func capture(_ count: Int, _ sensor: CheckedSensor) throws(CheckEnd) -> Int {
    for number in 0..<count {
      let touch = try sensor.capture(5000, "again and again")
      guard touch.status < 100 else { return number }
    }
    return count
  }

  /// - Throws: what is more than it was. `shorter` is a check that does the same a few times.
  private static func compare(
    _ before: ProcessCounts, _ after: ProcessCounts, rounds: Int, _ what: String,
    seenIn shorter: DriverCheck
  ) throws(CheckEnd) {
    guard after.descriptors <= before.descriptors else {
      throw .failed(
        "\(rounds) × \(what) left \(after.descriptors - before.descriptors) descriptors open",
        advice: "close in close() what open() opened, on every path of a failing open too")
    }
    guard after.threads <= before.threads else {
      throw .failed(
        "\(rounds) × \(what) left \(after.threads - before.threads) threads running",
        advice: "end and join in close() every thread that open() started")
    }
    let growth = after.memory - before.memory
    guard growth < rounds * leastLeak + slack else {
      throw .failed(
        "\(rounds) × \(what) left \(growth) bytes allocated, \(growth / max(rounds, 1)) each time",
        advice: "valgrind names the line if the driver is built with -g: "
          + commandLine(runningUnderValgrind: shorter))
    }
  }

  /// A sanitizer does not help: the driver is loaded too late for it. Valgrind sees memory that is
  /// lost when this program ends; the runtime of Swift only keeps memory that it may still need.
  private static func commandLine(runningUnderValgrind check: DriverCheck) -> String {
    let ours = CommandLine.arguments.map { argument in
      argument == DriverCheck.repetition.rawValue ? check.rawValue : argument
    }
    let words = ["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=definite"] + ours
    return words.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ") + " 3>/dev/null"
  }
}

/// What a leaking driver uses more and more of.
struct ProcessCounts {
  /// Bytes that malloc has handed out.
  let memory: Int
  let descriptors: Int
  let threads: Int

  init() {
    memory = Int(ac_allocated_bytes())
    descriptors = Self.entries(of: "/proc/self/fd")
    threads = Self.entries(of: "/proc/self/task")
  }

  private static func entries(of path: String) -> Int {
    guard let folder = unsafe opendir(path) else { return 0 }
    defer { unsafe closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    return count
  }
}

/// The state of a process that a plugin must leave alone.
struct ProcessCondition {
  private let handlers: [Int32: Int]
  private let mask: [Int32]
  private let folder: String
  private let streams: [UInt64]

  /// Reads it, on the calling thread.
  init() {
    var handlers: [Int32: Int] = [:]
    for signal in 1...64 as ClosedRange<Int32> {
      var action = sigaction()
      guard unsafe sigaction(signal, nil, &action) == 0 else { continue }
      // The two handlers of sigaction(2) are a union.
      handlers[signal] = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }
    self.handlers = handlers
    var blocked = sigset_t()
    unsafe pthread_sigmask(SIG_SETMASK, nil, &blocked)
    mask = (1...64 as ClosedRange<Int32>).filter { unsafe sigismember(&blocked, $0) == 1 }
    if let path = unsafe getcwd(nil, 0) {
      folder = unsafe String(cString: path)
      unsafe free(path)
    } else {
      folder = ""
    }
    streams = (0..<3 as Range<Int32>).map { number in
      var status = stat()
      return unsafe fstat(number, &status) == 0 ? UInt64(status.st_ino) : 0
    }
  }

  /// A sentence for each change between the two.
  func differences(from later: ProcessCondition) -> [String] {
    var sentences: [String] = []
    let changed = handlers.keys.filter { handlers[$0] != later.handlers[$0] }.sorted()
    if !changed.isEmpty {
      sentences.append("it changed the handler of signal \(Self.list(changed))")
    }
    if mask != later.mask {
      sentences.append(
        "it changed the signal mask of its thread (blocked: \(Self.list(later.mask)))")
    }
    if folder != later.folder { sentences.append("it changed the working folder") }
    for number in 0..<3 where streams[number] != later.streams[number] {
      sentences.append("it closed or replaced descriptor \(number)")
    }
    return sentences
  }

  private static func list(_ signals: [Int32]) -> String {
    signals.isEmpty ? "none" : signals.map { String($0) }.joined(separator: ", ")
  }
}
