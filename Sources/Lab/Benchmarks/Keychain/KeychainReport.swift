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
