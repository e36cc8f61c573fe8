/// Reads a list of scores from comma-separated text with a header line.
///
/// Two kinds are understood, by their columns, which may stand in any order beside others:
///
/// - `probe,gallery,score`, which `authcore-bench match` writes. A comparison is genuine if the
///   probe's finger is that of the gallery's images, by ``SampleName``.
/// - `db,a,b,genuine,score`. The names of two samples count within their data set.
///
/// A score that is empty, `nan` or `fail` means that the comparison could not be made; in the first
/// kind also ``lowestScore``.
struct ScoreFile {
  /// What `authcore-bench match` writes if there was nothing to compare.
  static let lowestScore = -1000.0

  private let file: String
  private var numbers: [String: Int] = [:]
  private var fingers: [String] = []
  private var comparisons: [ComparisonScore] = []

  /// Reads the scores, at least one of each kind. `file` is the name for errors.
  ///
  /// - Throws: ``ScoreFileError`` naming the line that cannot be understood, or what the file
  ///   lacks.
  static func scores(in text: String, file: String) throws(ScoreFileError) -> ScoreList {
    var reader = ScoreFile(file: file)
    return try reader.read(text)
  }

  private init(file: String) { self.file = file }

  private mutating func read(_ text: String) throws(ScoreFileError) -> ScoreList {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard let header = lines.first, !header.isEmpty else {
      throw failure(nil, "it is empty; a header line such as \"probe,gallery,score\" is needed")
    }
    let columns = Self.fields(of: header).map(String.init)
    let layout = try self.layout(columns)
    for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      let fields = Self.fields(of: line)
      guard fields.count == columns.count else {
        throw failure(index + 1, "\(fields.count) fields where the header has \(columns.count)")
      }
      try add(fields, layout, line: index + 1)
    }
    guard !comparisons.isEmpty else { throw failure(nil, "it has no comparison") }
    guard let list = ScoreList(fingers: fingers, comparisons: comparisons) else {
      let missing = comparisons.contains(where: \.isGenuine) ? "impostor" : "genuine"
      throw failure(
        nil, "it has no \(missing) comparison; error rates need genuine and impostor ones")
    }
    return list
  }

  /// The places of the columns.
  private enum Layout {
    case probes(probe: Int, gallery: Int, score: Int)
    case samples(db: Int, a: Int, b: Int, genuine: Int, score: Int)
  }

  private func layout(_ columns: [String]) throws(ScoreFileError) -> Layout {
    func column(_ name: String) throws(ScoreFileError) -> Int {
      guard let index = columns.firstIndex(of: name) else {
        throw failure(
          1,
          "no column \"\(name)\"; expected probe,gallery,score or db,a,b,genuine,score")
      }
      return index
    }
    let score = try column("score")
    if columns.contains("genuine") {
      return .samples(
        db: try column("db"), a: try column("a"), b: try column("b"),
        genuine: try column("genuine"), score: score)
    }
    return .probes(probe: try column("probe"), gallery: try column("gallery"), score: score)
  }

  private mutating func add(
    _ fields: [Substring], _ layout: Layout, line: Int
  ) throws(ScoreFileError) {
    switch layout {
    case .probes(let probe, let gallery, let score):
      let names = Set(fields[gallery].split(separator: ";").map { SampleName($0).finger })
      guard let finger = names.first, names.count == 1, !fields[probe].isEmpty else {
        throw failure(
          line, "\"\(fields[gallery])\" is not a list of images of one finger, or has no probe")
      }
      var value = try self.score(fields[score], line: line)
      if value <= Self.lowestScore { value = -.infinity }
      let own = SampleName(fields[probe]).finger
      append(own, finger, isGenuine: own == finger, score: value)
    case .samples(let db, let a, let b, let genuine, let score):
      let isGenuine: Bool
      switch fields[genuine] {
      case "1", "true", "True": isGenuine = true
      case "0", "false", "False": isGenuine = false
      default: throw failure(line, "\"\(fields[genuine])\" under \"genuine\" is neither 0 nor 1")
      }
      append(
        "\(fields[db])/\(SampleName(fields[a]).finger)",
        "\(fields[db])/\(SampleName(fields[b]).finger)", isGenuine: isGenuine,
        score: try self.score(fields[score], line: line))
    }
  }

  private mutating func append(_ probe: String, _ gallery: String, isGenuine: Bool, score: Double) {
    comparisons.append(
      ComparisonScore(
        probeFinger: number(of: probe), galleryFinger: number(of: gallery), isGenuine: isGenuine,
        score: score))
  }

  private mutating func number(of finger: String) -> Int {
    if let known = numbers[finger] { return known }
    numbers[finger] = fingers.count
    fingers.append(finger)
    return fingers.count - 1
  }

  private func score(_ field: Substring, line: Int) throws(ScoreFileError) -> Double {
    switch field.lowercased() {
    case "", "nan", "fail": return -.infinity
    default:
      guard let value = Double(field), !value.isNaN, value < .infinity else {
        throw failure(line, "the score \"\(field)\" is not a number")
      }
      return value
    }
  }

  private func failure(_ line: Int?, _ reason: String) -> ScoreFileError {
    ScoreFileError(file: file, line: line, reason: reason)
  }

  /// Without the blanks around them.
  private static func fields(of line: Substring) -> [Substring] {
    line.split(separator: ",", omittingEmptySubsequences: false).map { field in
      let start = field.drop { $0 == " " || $0 == "\t" }
      let end = start.lastIndex { $0 != " " && $0 != "\t" }
      return end.map { start[...$0] } ?? start[..<start.startIndex]
    }
  }
}

struct ScoreFileError: Error, Hashable, Sendable, CustomStringConvertible {
  let file: String
  /// Counted from 1; nil for the file as a whole.
  let line: Int?
  /// What is wrong, without the file's name.
  let reason: String

  var description: String {
    line.map { "\(file), line \($0): \(reason)" } ?? "\(file): \(reason)"
  }
}

/// What the name of an image says: `FOLDER/FINGER_IMPRESSION.pgm`, or for a patch
/// `FOLDER/FINGER_IMPRESSION_pK.pgm`.
struct SampleName: Hashable, Sendable {
  /// Folder and finger, the same for all images of one finger and of no other.
  let finger: String

  /// - Parameter name: With or without a folder and an extension. A name without an underscore is a
  ///   finger with one impression.
  init(_ name: some StringProtocol) {
    let slash = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
    var file = Substring(name[slash...])
    if let dot = file.lastIndex(of: "."), dot != file.startIndex { file = file[..<dot] }
    if let patch = file.lastIndex(of: "_"), Self.isPatch(file[patch...]),
      file[..<patch].contains("_")
    {
      file = file[..<patch]
    }
    if let underscore = file.lastIndex(of: "_") { file = file[..<underscore] }
    finger = String(name[..<slash]) + file
  }

  /// Whether a name's ending is `_p` and a number.
  private static func isPatch(_ ending: Substring) -> Bool {
    ending.hasPrefix("_p") && ending.count > 2
      && ending.dropFirst(2).allSatisfy { ("0"..."9").contains($0) }
  }
}
