package import Protocol

/// How a file is written, by its first bytes.
package enum ImportForm: Sendable {
  case csv, json, xml, zip

  package init(of start: Span<UInt8>) {
    let first = start.indices.first { start[$0] > UInt8(ascii: " ") && start[$0] < 0x80 }
    self =
      switch first.map({ start[$0] }) {
      case UInt8(ascii: "{"), UInt8(ascii: "["): .json
      case UInt8(ascii: "<"): .xml
      case _ where start.begins(with: "PK\u{3}\u{4}"): .zip
      default: .csv
      }
  }

  /// The largest file that is read, in bytes; nil for CSV, which is read in parts.
  package var limit: Int? {
    switch self {
    case .csv: nil
    case .json, .xml: ZipFile.largestFile
    // With attachments, which are not read.
    case .zip: 512 << 20
    }
  }
}

/// Reads a file that has to be in memory as a whole.
package enum WholeImport {
  /// Gives its items to a receiver.
  /// - Returns: the program that wrote it.
  /// - Throws: `importUnreadable` for a broken file or one of no known program, and what the
  ///   receiver throws.
  package static func read(
    _ file: borrowing SecretBytes, _ form: ImportForm, to receiver: any ImportReceiver
  ) throws(Failure) -> String {
    try read(file, form, place: "", to: receiver)
  }

  private static func read(
    _ file: borrowing SecretBytes, _ form: ImportForm, place: String,
    to receiver: any ImportReceiver
  ) throws(Failure) -> String {
    switch form {
    case .csv: return try readCSV(file.bytes, place: place, to: receiver)
    case .json: return try readTree(.json(file.bytes), to: receiver)
    case .xml: return try readTree(.xml(file.bytes), to: receiver)
    case .zip: return try readArchive(ZipFile(file.shared()), to: receiver)
    }
  }

  private static func readCSV(
    _ bytes: Span<UInt8>, place: String, to receiver: any ImportReceiver
  ) throws(Failure) -> String {
    var reader = CSVImport(to: receiver, place: place)
    try reader.read(bytes)
    try reader.finish()
    return reader.program ?? ""
  }

  private static func readTree(
    _ tree: TextTree, to receiver: any ImportReceiver
  ) throws(Failure) -> String {
    let root = tree.root
    guard root.text("encrypted") != "true" else {
      throw Failure(
        .importUnreadable, "it is encrypted",
        hint: "export it again without encryption, as JSON or CSV")
    }
    guard let layout = EntryTree.known.first(where: { $0.fits(root) }) else {
      throw Failure(
        .importUnreadable, "no program that is known here writes such JSON or XML",
        hint: "known are " + EntryTree.known.map(\.name).joined(separator: ", ")
          + "; others: export CSV")
    }
    try layout.read(root, to: receiver)
    return layout.name
  }

  /// Reads the file that one program writes, or else every file that may hold entries. Attachments
  /// belong to entries, which name them.
  private static func readArchive(
    _ archive: consuming ZipFile, to receiver: any ImportReceiver
  ) throws(Failure) -> String {
    var programs: [String] = []
    let files = archive.entries.filter { !$0.isFolder && !$0.isAttachment }
    let known = files.filter { ["export.data", "data.json"].contains($0.lastName) }
    for entry in known.isEmpty ? files : known {
      let name = entry.lastName.lowercased()
      let form: ImportForm
      if name.hasSuffix(".csv") {
        form = .csv
      } else if name == "export.data" || name.hasSuffix(".json") {
        form = .json
      } else {
        continue
      }
      let file = try archive.read(entry)
      // A part without entries may be empty.
      guard file.count > 0 else { continue }
      programs.append(try read(file, form, place: "\(entry.lastName), ", to: receiver))
    }
    guard let program = programs.first else {
      throw Failure(
        .importUnreadable, "the archive holds no export that is known here",
        hint: "known are 1PUX, and the archives of Dashlane, Proton Pass and Bitwarden")
    }
    return program.split(separator: ",").first.map(String.init) ?? program
  }
}

extension ZipFile.Entry {
  /// Whether it lies where programs put attachments, or where a system puts what people do not see.
  fileprivate var isAttachment: Bool {
    let parts = name.split(separator: "/").map { $0.lowercased() }
    return parts.contains { $0.hasPrefix(".") }
      || parts.dropLast().contains { ["files", "attachments", "__macosx"].contains($0) }
  }
}
