/// What somebody may have meant who mistyped a name.
enum NearestName {
  /// The one of `names` that a few slips of the fingers lead from; nil where none is near, or several
  /// are as near.
  static func of(_ typed: String, among names: [String]) -> String? {
    // One slip in three characters: of two characters one is half the word.
    let most = min(3, max(1, typed.count / 3))
    let near = names.map { (name: $0, slips: slips(from: Array(typed), to: Array($0))) }
      .filter { $0.slips <= most }.sorted { $0.slips < $1.slips }
    guard let first = near.first else { return nil }
    return near.count > 1 && near[1].slips == first.slips ? nil : first.name
  }

  /// How many characters were left out, put in, replaced, or swapped with their neighbor (the
  /// distance of Damerau and Levenshtein, each place touched once).
  static func slips(from typed: [Character], to name: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...name.count)
    for (row, character) in typed.enumerated() {
      var current = [row + 1]
      for (column, other) in name.enumerated() {
        var slips = min(
          last[column] + (character == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, character == name[column - 1], typed[row - 1] == other {
          slips = min(slips, before[column - 1] + 1)
        }
        current.append(slips)
      }
      (before, last) = (last, current)
    }
    return last[name.count]
  }
}
