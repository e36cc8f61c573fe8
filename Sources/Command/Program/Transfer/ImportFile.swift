import ItemTransfer
import Protocol

/// A file of another program, which is read through locked memory.
final class ImportFile {
  private let file: InputFile
  private let path: String

  /// - Throws: `usage` if it cannot be opened, or the passcode comes from there too.
  init(_ path: String, _ invocation: Invocation) throws(Failure) {
    self.path = path
    file = try InputFile(path, invocation)
  }

  /// Gives every item in it to a receiver.
  ///
  /// `checksFirst` reads everything before anything is given, so that a file that is broken in its
  /// middle adds nothing. A pipe of CSV can be read only once.
  /// - Throws: `importUnreadable` naming the file, and what the receiver throws.
  func read(
    into receiver: any ImportReceiver, _ map: ColumnMap?, checksFirst: Bool
  ) throws(Failure) -> ImportedSource {
    do throws(Failure) {
      var buffer = SecretBytes(count: 64 << 10)
      let count = try file.readPart(&buffer)
      let start = SecretBytes(copying: buffer.bytes.extracting(first: count))
      let form = ImportForm(of: start.bytes)
      var source = ImportedSource(name: "")
      if let limit = form.limit {
        guard map == nil else {
          throw Failure(.usage, "--map is for a CSV file", hint: "Leave --map out.")
        }
        let whole = try readRest(after: start, limit: limit)
        if checksFirst { _ = try WholeImport.read(whole, form, to: Checking()) }
        source.name = try WholeImport.read(whole, form, to: receiver)
      } else if checksFirst, file.size != nil {
        _ = try readCSV(start, map, to: Checking())
        file.rewind()
        source = try readCSV(SecretBytes(count: 0), map, to: receiver)
      } else {
        source = try readCSV(start, map, to: receiver)
      }
      if file.size != nil, !file.isStandardInput { source.readableFile = path }
      return source
    } catch  where error.code == .importUnreadable {
      throw Failure(error.code, "\(file.name): \(error.message)", hint: error.hint)
    }
  }

  private func readCSV(
    _ start: borrowing SecretBytes, _ map: ColumnMap?, to receiver: any ImportReceiver
  ) throws(Failure) -> ImportedSource {
    var reader = CSVImport(to: receiver, map)
    try reader.read(start.bytes)
    var buffer = SecretBytes(count: 64 << 10)
    while case let count = try file.readPart(&buffer), count > 0 {
      try reader.read(buffer.bytes.extracting(first: count))
    }
    try reader.finish()
    return ImportedSource(name: reader.program ?? "", unkeptColumns: reader.unkeptColumns)
  }

  private func readRest(
    after start: borrowing SecretBytes, limit: Int
  ) throws(Failure) -> SecretBytes {
    // One byte more than there is, so that the end is seen.
    let size = file.size.map { Int(min($0, UInt64(limit))) + 1 } ?? limit + 1
    var whole = SecretBytes(count: max(size, start.count))
    whole.copy(start.bytes)
    var filled = start.count
    var buffer = SecretBytes(count: 64 << 10)
    while case let count = try file.readPart(&buffer), count > 0 {
      guard filled + count <= whole.count, filled + count <= limit else {
        throw Failure(
          .importUnreadable, "it is larger than \(limit >> 20) MiB", hint: "export it in parts")
      }
      whole.copy(buffer.bytes.extracting(first: count), at: filled)
      filled += count
    }
    return whole.extracting(0..<filled)
  }

  /// Ignores everything.
  private final class Checking: ImportReceiver {
    func take(_ entry: ImportedEntry) throws(Failure) {}
    func skip(_ entry: SkippedEntry) {}
  }
}
