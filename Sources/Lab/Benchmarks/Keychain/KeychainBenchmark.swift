import Protocol

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
