import Protocol

/// What JSON and XML have in common: named parts within parts, and texts. All texts are in one block
/// of memory for secrets.
final class TextTree {
  /// Deeper files are refused.
  static let deepest = 64
  /// More parts than any collection of passwords has.
  static let mostParts = 4 << 20

  fileprivate struct Part {
    let name: String
    var text: Range<Int>
    /// The first part behind this one and those within it.
    var end: Int
  }

  private var texts: SecretBytes
  private var filled = 0
  private var parts: [Part] = []
  private var open: [Int] = []

  /// - Parameter room: the most bytes of all texts.
  init(room: Int) { texts = SecretBytes(count: room) }

  var isComplete: Bool { open.isEmpty && !parts.isEmpty }
  var root: Branch { Branch(tree: self, index: 0) }

  /// Begins a part within the open one.
  /// - Returns: false if there are too many, or they lie too deep.
  func begin(named name: String) -> Bool {
    guard open.count < Self.deepest, parts.count < Self.mostParts else { return false }
    open.append(parts.count)
    parts.append(Part(name: name, text: filled..<filled, end: 0))
    return true
  }

  /// Continues the text of the open part. Text between two parts belongs to nothing.
  /// - Returns: false if there is no room.
  func add(_ text: Span<UInt8>) -> Bool {
    guard let current = open.last, let added = append(text) else { return open.isEmpty }
    if parts[current].text.upperBound == added.lowerBound {
      parts[current].text = parts[current].text.lowerBound..<added.upperBound
    }
    return true
  }

  func end() {
    guard let current = open.popLast() else { return }
    parts[current].end = parts.count
  }

  private func append(_ bytes: Span<UInt8>) -> Range<Int>? {
    guard bytes.count <= texts.count - filled else { return nil }
    texts.copy(bytes, at: filled)
    filled += bytes.count
    return filled - bytes.count..<filled
  }

  fileprivate func part(_ index: Int) -> Part { parts[index] }

  fileprivate func secret(_ range: Range<Int>) -> SecretBytes { texts.sharing(range) }
}

/// A part of a ``TextTree``.
struct Branch {
  private let tree: TextTree
  private let index: Int

  fileprivate init(tree: TextTree, index: Int) { (self.tree, self.index) = (tree, index) }

  /// Empty for the elements of an array.
  var name: String { tree.part(index).name }
  /// For what is no secret.
  var text: String { secret.text ?? "" }
  var secret: SecretBytes { tree.secret(tree.part(index).text) }
  var hasText: Bool { !tree.part(index).text.isEmpty }

  var children: [Branch] {
    var children: [Branch] = []
    var next = index + 1
    while next < tree.part(index).end {
      children.append(Branch(tree: tree, index: next))
      next = tree.part(next).end
    }
    return children
  }

  /// The first part of this name.
  subscript(name: String) -> Branch? { children.first { $0.name == name } }

  /// The text of the part at this path; empty without one.
  func text(_ path: String...) -> String {
    var branch = self
    for name in path {
      guard let next = branch[name] else { return "" }
      branch = next
    }
    return branch.text
  }
}
