import ItemTransfer
import Protocol

/// Feeds the CSV reader, whole and in parts, behind some program's header or none. The result must
/// not depend on the parts, and every item must come back from the row that export writes for it.
/// Input with a high first byte is JSON, XML or an archive, which must only be survived.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes, count > 1 else { return 0 }
  let input = unsafe Span(_unsafeStart: bytes, count: count)
  guard input[0] < 0xC0 else {
    let file = SecretBytes(copying: input.extracting(droppingFirst: 1))
    let forms: [ImportForm] = [.json, .xml, .zip]
    _ = try? WholeImport.read(file, forms[Int(input[0]) % forms.count], to: Collected())
    return 0
  }
  let headers = [
    "", ItemExport.header, "name,url,username,password,note\n",
    "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\"\n",
  ]
  var file = Array(headers[Int(input[0]) % headers.count].utf8)
  let size = Int(input[1]) + 1
  for index in 2..<max(2, count) { file.append(input[index]) }
  let whole = read(file, inPartsOf: file.count + 1)
  precondition(read(file, inPartsOf: size).isSame(as: whole))
  for item in whole.items.prefix(4) {
    var row = Array(ItemExport.header.utf8)
    let written = ItemExport.row(item.attributes, item.secret.span)
    for index in 0..<written.count { row.append(written.bytes[index]) }
    let again = read(row, inPartsOf: row.count)
    precondition(again.items.count == 1 && again.items[0] == item)
  }
  return 0
}

private func read(_ file: [UInt8], inPartsOf size: Int) -> Collected {
  let collected = Collected()
  var reader = CSVImport(to: collected)
  do throws(Failure) {
    var rest = file[...]
    while !rest.isEmpty {
      try reader.read(Array(rest.prefix(size)).span)
      rest = rest.dropFirst(size)
    }
    try reader.finish()
  } catch {
    collected.failure = error
  }
  return collected
}

/// What a file held.
private final class Collected: ImportReceiver {
  struct Item: Equatable {
    let attributes: ItemAttributes
    let secret: [UInt8]
  }

  private(set) var items: [Item] = []
  private var skipped: [SkippedEntry] = []
  var failure: Failure?

  func take(_ entry: ImportedEntry) throws(Failure) {
    for item in entry.items { take(item) }
  }

  private func take(_ item: ImportedItem) {
    precondition(item.secret.count <= largestItemSecret)
    for name in item.attributes.values.names {
      guard let value = item.attributes.values[name] else { continue }
      precondition(value.fits(name.form) && item.attributes.itemClass.attributes.contains(name))
      if case .text(let text) = value {
        precondition(text.utf8.count <= AttributeValue.longestText)
      }
    }
    let secret = item.secret.duplicate()
    items.append(Item(attributes: item.attributes, secret: secret.copied))
  }

  func skip(_ entry: SkippedEntry) { skipped.append(entry) }

  func isSame(as other: Collected) -> Bool {
    items == other.items && skipped == other.skipped && failure == other.failure
  }
}
