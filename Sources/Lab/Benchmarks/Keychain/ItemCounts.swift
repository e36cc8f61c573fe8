import ArgumentParser

/// How many items keychains hold, as `--items` takes them: `100,10000,100000`.
struct ItemCounts: ExpressibleByArgument {
  /// At least one, each between 1 and ``most``.
  let values: [Int]

  /// The most items of one keychain.
  static let most = 1_000_000

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { Int($0) }
    guard values.count == parts.count, values.allSatisfy({ 1...Self.most ~= $0 }) else {
      return nil
    }
    self.values = values
  }

  init(_ value: Int) { values = [value] }

  var defaultValueDescription: String { values.map { "\($0)" }.joined(separator: ",") }
}
