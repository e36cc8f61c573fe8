import CoreClient
import ItemTransfer
import Protocol

/// Writes every item that a context opens, one after the other: one secret at a time is in memory.
struct ItemExportRun {
  private let session: CoreSession
  private let output: Output

  init(_ session: CoreSession, _ output: Output) {
    (self.session, self.output) = (session, output)
  }

  /// How many items were written, and how many not.
  struct Count {
    var written: UInt32 = 0
    var leftOut: UInt32 = 0
  }

  /// - Parameters:
  ///   - target: has been begun.
  ///   - context: holds the owner's passcode. Nobody is asked for anything else.
  /// - Returns: how many there were.
  /// - Throws: what could not be read or written.
  func write(
    to target: ExportTarget, in context: borrowing AuthenticationContext
  ) throws(Failure) -> Count {
    var count = Count()
    try target.write(Array(ItemExport.header.utf8).span)
    let items = try items()
    for (index, item) in items.enumerated() {
      if index.isMultiple(of: 100) { output.live("\(index) of \(items.count) items") }
      // One that wants more fails, and takes the passcode out of the context with it.
      guard ItemExport.classes.contains(item.itemClass),
        item.accessControl?.isSatisfied(by: .passcode) ?? true
      else {
        count.leftOut += 1
        continue
      }
      do throws(Failure) {
        let opened: GotItem = try session.ask(
          GetItem(query: ItemQuery(naming: item)), .none, in: context)
        let row = ItemExport.row(opened.attributes, opened.secret.bytes)
        try target.write(row.bytes)
        count.written += 1
      } catch {
        switch error.code {
        // Somebody has removed it meanwhile.
        case .errSecItemNotFound: continue
        case .errSecDecode, .errSecAuthFailed, .errSecInteractionNotAllowed: count.leftOut += 1
        default: throw error
        }
      }
    }
    output.clearLive()
    return count
  }

  private func items() throws(Failure) -> [ItemAttributes] {
    var query = ItemQuery()
    query.isSynchronizable = nil
    do throws(Failure) {
      return try session.find(query)
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
      return []
    }
  }
}
