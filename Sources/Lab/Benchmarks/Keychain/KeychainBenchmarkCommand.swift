import ArgumentParser
import Protocol
import SyntheticPrints

struct KeychainBenchmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keychain",
    abstract: "Measure how fast items are added, read, changed, found and removed.",
    discussion: """
      Through the whole path: client, socket, core, keychain, enclave, and back. Of several sizes each \
      has a keychain of its own; they take turns, so that "largestBesideSmallest" holds on a busy \
      machine. "insertMicroseconds" is one row of the same length put into a table of SQLite and synced.
      """)

  @Option(help: "How many items, or several sizes with commas.") var items = ItemCounts(1000)
  @Option(help: "How many requests of each kind.") var sample = 300
  @Option(help: "How long each secret is, in bytes.") var size = 32

  func validate() throws {
    try check(sample, in: 1...100_000, "--sample")
    try check(size, in: 1...largestItemSecret, "--size")
  }

  func run() throws {
    do {
      var benchmark = try KeychainBenchmark(items, secretSize: size, ProgressLog())
      try benchmark.run(sample: sample)
      print(benchmark.json(beside: try PathFloor(secretSize: size)))
    } catch let failure as Failure {
      throw BenchmarkFailure(failure.message)
    }
  }
}

/// Fills keychains of several sizes and asks them in turn, so that other load on the machine
/// affects each.
private struct KeychainBenchmark {
  let secretSize: Int
  private(set) var keychains: [FilledKeychain] = []
  private(set) var insert: SyncedInsert
  private var random = RandomNumbers(seed: 12)

  /// Requests of one kind in one turn.
  private static let turn = 10
  private static let lists = 5

  init(_ counts: ItemCounts, secretSize: Int, _ progress: ProgressLog) throws {
    self.secretSize = secretSize
    for count in counts.values.sorted() {
      progress.tell("adding \(count) items")
      keychains.append(try FilledKeychain(items: count, secretSize: secretSize))
    }
    insert = try SyncedInsert(beside: keychains[0].database)
    progress.tell("asking")
  }

  /// Asks for so many random items of each keychain, and for lists of all.
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

  /// The numbers of one turn, all different.
  private mutating func numbers(below count: Int) -> [Int] {
    var numbers: Set<Int> = []
    while numbers.count < min(Self.turn, count) {
      numbers.insert(Int.random(in: 0..<count, using: &random))
    }
    return numbers.sorted()
  }

  /// Operations on one row.
  private static let single: [FilledKeychain.Operation] = [
    .add, .get, .update, .find, .findByIdentifier, .remove,
  ]

  /// Rates and times of the largest keychain, those of each, and the ratios that hold on any machine.
  func json(beside floor: PathFloor) -> JSON {
    guard let smallest = keychains.first, let largest = keychains.last else { return [:] }
    let unit = Duration.microseconds(1)
    let inserts = insert.sample
    return JSON(
      merging: ["items": JSON(largest.items), "secretBytes": JSON(secretSize)],
      Self.speeds(of: largest),
      [
        "floorMicroseconds": [
          "aesGCM": rounded(floor.sealing / unit), "roundTrip": rounded(floor.roundTrip / unit),
        ],
        "insertMicroseconds": inserts.json(in: unit), "rowBytes": JSON(insert.rowBytes),
        "ratios": [
          "get": rounded(largest.sample(.get).median / floor.total),
          "find": rounded(largest.sample(.find).median / floor.total),
          "addBesideInsert": rounded(largest.sample(.add).median / inserts.median),
          "largestBesideSmallest": Self.each(Self.single) {
            rounded(largest.sample($0).median / smallest.sample($0).median)
          },
        ],
        "keychains": JSON(elements: keychains.map(Self.json)),
      ])
  }

  private static func json(of keychain: FilledKeychain) -> JSON {
    let rate = Double(keychain.items) / (keychain.filling / .seconds(1))
    return JSON(
      merging: ["items": JSON(keychain.items)], speeds(of: keychain),
      [
        "milliseconds": each([.list, .findByAccount]) {
          keychain.sample($0).json(in: .milliseconds(1))
        },
        "bulkPerSecond": JSON(rate.rounded()),
        "diskBytesPerItem": JSON(keychain.diskBytes / keychain.items),
      ])
  }

  private static func speeds(of keychain: FilledKeychain) -> KeyValuePairs<String, JSON> {
    [
      "perSecond": each(single) { JSON((keychain.sample($0).perSecond * 10).rounded() / 10) },
      "microseconds": each(single) { keychain.sample($0).json(in: .microseconds(1)) },
    ]
  }

  private static func each(
    _ operations: [FilledKeychain.Operation], _ value: (FilledKeychain.Operation) -> JSON
  ) -> JSON {
    JSON(members: operations.map { ($0.rawValue, value($0)) })
  }
}
