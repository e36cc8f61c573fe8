import BackupFormat
import Cryptography
import Protocol

/// Feeds the reader of backups: any bytes as a file, and what an attacker who knows the passphrase
/// may write: records of any contents, properly sealed. The result must not depend on the parts in
/// which the bytes arrive, and an item that is read must be written again with the same size.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes, count > 2 else { return 0 }
  let input = unsafe Span(_unsafeStart: bytes, count: count)
  let rest = (2..<count).map { input[$0] }
  do {
    let file =
      switch input[0] % 4 {
      case 0: rest
      case 1: try ForgedBackup.of[1].file(of: rest)
      case 2: try ForgedBackup.of[2].file(of: rest)
      // Any records behind a valid header.
      default: ForgedBackup.of[Int(input[1] % 4)].header + rest
      }
    let whole = ReadFile(file, inPartsOf: file.count + 1)
    precondition(ReadFile(file, inPartsOf: Int(input[1]) + 1) == whole)
  } catch {
    preconditionFailure("a backup cannot be made: \(error)")
  }
  return 0
}

/// What a file held, and how it ended.
private struct ReadFile: Equatable {
  private struct Item: Equatable {
    let kind: PortableKind
    let accessibility: Accessibility
    let attributes: [UInt8]
    let content: [UInt8]
  }

  /// The most memory for stretching: more takes as long as it should.
  private static let mostMemory: UInt64 = 64 << 10

  private var items: [Item] = []
  private var counts: BackupCounts?
  private var failure: Failure?

  init(_ file: [UInt8], inPartsOf size: Int) {
    var rest = file[...]
    do throws(Failure) {
      try read { (count) throws(Failure) in
        precondition(count <= 2 << 20, "\(count) bytes are asked for at once")
        var part: [UInt8] = []
        while part.count < count, !rest.isEmpty {
          let next = rest.prefix(min(size, count - part.count))
          part += next
          rest = rest.dropFirst(next.count)
        }
        return part
      }
      precondition(counts?.items == UInt64(items.count) && rest.isEmpty)
    } catch {
      failure = error
    }
  }

  private mutating func read(_ source: @escaping BackupReader.Source) throws(Failure) {
    var reader = try BackupReader(source)
    guard reader.header.cost.memory <= Self.mostMemory else { return try skim(reader) }
    let keys = try reader.header.keys(for: ForgedBackup.passphrase)
    let cipher = keys.cipher(for: reader.header)
    while let record = try reader.next() {
      switch record {
      case .item(let record, let number):
        take(try cipher.openItem(record, as: number), record, as: number, cipher)
      case .end(let sealed, let number): counts = try cipher.openEnd(sealed, as: number)
      }
    }
  }

  private mutating func skim(_ reader: BackupReader) throws(Failure) {
    var reader = reader
    while try reader.next() != nil {}
    throw .wrongPassphrase
  }

  private mutating func take(
    _ item: borrowing PortableItem, _ record: SealedRecord, as number: UInt64,
    _ cipher: BackupCipher
  ) {
    precondition(!item.accessibility.isThisDeviceOnly)
    precondition(item.content.count <= record.kind.limit)
    precondition(item.attributes.count <= largestAttributes)
    guard
      let again = try? cipher.sealItem(
        record.kind, item.accessibility, attributes: item.attributes, content: item.content.bytes,
        as: number)
    else { preconditionFailure("an item that was read cannot be written") }
    precondition(again.kind == record.kind && again.bytes.count == record.bytes.count)
    items.append(
      Item(
        kind: record.kind, accessibility: item.accessibility, attributes: item.attributes,
        content: item.copyOfContent()))
  }
}
