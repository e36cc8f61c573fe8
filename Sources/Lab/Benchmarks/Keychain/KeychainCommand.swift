import ArgumentParser
import Protocol

/// `authcore-bench keychain`
struct KeychainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keychain",
    abstract: "Measure how fast items are added, read, changed, found and removed.",
    discussion: """
      Through the whole path: client, socket, core, keychain, enclave, and back. Of several sizes each \
      has a keychain of its own; they take turns, so that "largestBesideSmallest" holds on a busy \
      machine. "insertMicroseconds" is one row of the same length put into a table of SQLite and synced.
      """)

  @Option(help: ArgumentHelp("How many items, or several sizes with commas.", valueName: "n"))
  var items = ItemCounts(1000)

  @Option(help: ArgumentHelp("How many requests of each kind.", valueName: "n"))
  var sample = 300

  @Option(help: ArgumentHelp("How long each secret is, in bytes.", valueName: "n"))
  var size = 32

  func run() throws {
    guard 1...100_000 ~= sample else {
      throw ValidationError("--sample is between 1 and 100000")
    }
    guard 1...largestItemSecret ~= size else {
      throw ValidationError("--size is between 1 and \(largestItemSecret) bytes")
    }
    do {
      var benchmark = try KeychainBenchmark(items, secretSize: size, ProgressLog())
      try benchmark.run(sample: sample)
      print(KeychainReport(benchmark, beside: try PathFloor(secretSize: size)).json)
    } catch let failure as Failure {
      throw BenchmarkFailure(failure.message)
    }
  }
}

/// Fills keychains of several sizes, and asks all of them in turn, so that what else the machine
/// does falls on each.
struct KeychainBenchmark {
  let secretSize: Int
  private(set) var keychains: [FilledKeychain] = []
  private(set) var insert: SyncedInsert
  private var random = RandomNumbers(seed: 12)

  /// Requests of one kind between two turns.
  private static let turn = 10
  private static let lists = 5

  /// Fills one keychain behind the other.
  init(_ counts: ItemCounts, secretSize: Int, _ progress: ProgressLog) throws {
    self.secretSize = secretSize
    for count in counts.values.sorted() {
      progress.tell("adding \(count) items")
      keychains.append(try FilledKeychain(items: count, secretSize: secretSize))
    }
    insert = try SyncedInsert(beside: keychains[0].database)
    progress.tell("asking")
  }

  /// Asks for so many items of each keychain, drawn at random, and for lists of all.
  mutating func run(sample: Int) throws(Failure) {
    for _ in 0..<(sample + Self.turn - 1) / Self.turn {
      for index in keychains.indices {
        try keychains[index].run(on: numbers(below: keychains[index].items))
      }
      for _ in 0..<Self.turn { try insert.insert() }
    }
    for _ in 0..<Self.lists {
      for index in keychains.indices { try keychains[index].list() }
    }
  }

  /// The numbers of one turn, no two alike.
  private mutating func numbers(below count: Int) -> [Int] {
    var numbers: Set<Int> = []
    while numbers.count < min(Self.turn, count) {
      numbers.insert(Int.random(in: 0..<count, using: &random))
    }
    return numbers.sorted()
  }
}

/// What a ``KeychainBenchmark`` has measured, as JSON: rates and times of the largest keychain, those
/// of each, and the ratios that hold on any machine.
struct KeychainReport {
  private let benchmark: KeychainBenchmark
  private let floor: PathFloor

  /// Operations that one row is concerned by.
  private static let single: [FilledKeychain.Operation] = [
    .add, .get, .update, .find, .findByIdentifier, .remove,
  ]

  init(_ benchmark: KeychainBenchmark, beside floor: PathFloor) {
    (self.benchmark, self.floor) = (benchmark, floor)
  }

  var json: String {
    guard let smallest = benchmark.keychains.first, let largest = benchmark.keychains.last else {
      return "{}"
    }
    let insert = benchmark.insert.sample
    let growth = Self.object(Self.single) {
      "\(rounded(largest.sample($0).median / smallest.sample($0).median))"
    }
    return """
      {"items":\(largest.items),"secretBytes":\(benchmark.secretSize),\(Self.speeds(of: largest)),\
      "floorMicroseconds":{"aesGCM":\(rounded(floor.sealing / .microseconds(1))),\
      "roundTrip":\(rounded(floor.roundTrip / .microseconds(1)))},\
      "insertMicroseconds":\(insert.json(in: .microseconds(1))),\
      "rowBytes":\(benchmark.insert.rowBytes),\
      "ratios":{"get":\(rounded(largest.sample(.get).median / floor.total)),\
      "find":\(rounded(largest.sample(.find).median / floor.total)),\
      "addBesideInsert":\(rounded(largest.sample(.add).median / insert.median)),\
      "largestBesideSmallest":\(growth)},\
      "keychains":[\(benchmark.keychains.map(Self.json).joined(separator: ","))]}
      """
  }

  private static func json(of keychain: FilledKeychain) -> String {
    let lists = object([.list, .findByAccount]) {
      keychain.sample($0).json(in: .milliseconds(1))
    }
    return """
      {"items":\(keychain.items),\(speeds(of: keychain)),"milliseconds":\(lists),\
      "bulkPerSecond":\((Double(keychain.items) / (keychain.filling / .seconds(1))).rounded()),\
      "diskBytesPerItem":\(keychain.diskBytes / keychain.items)}
      """
  }

  private static func speeds(of keychain: FilledKeychain) -> String {
    let rates = object(single) { "\((keychain.sample($0).perSecond * 10).rounded() / 10)" }
    let times = object(single) { keychain.sample($0).json(in: .microseconds(1)) }
    return "\"perSecond\":\(rates),\"microseconds\":\(times)"
  }

  private static func object(
    _ operations: [FilledKeychain.Operation], _ value: (FilledKeychain.Operation) -> String
  ) -> String {
    "{\(operations.map { "\"\($0.rawValue)\":\(value($0))" }.joined(separator: ","))}"
  }
}
