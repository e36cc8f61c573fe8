import Protocol

extension KeychainEngine {
  /// ``AddItems``: sealed by as few messages to the enclave as may be, then written in one
  /// transaction. What is wrong with one item, or hinders the enclave from sealing it, is said of
  /// that item; what hinders the enclave or the store altogether ends the request.
  func addSeveral(
    _ request: consuming AddItems, for application: String
  ) throws(Failure) -> SecretBytes {
    var items: [Result<UnsealedItem, Failure>] = []
    var start = 0
    for item in request.items {
      let end = start + Int(item.secretCount)
      do throws(Failure) {
        let (identifier, attributes) = try newItem(item.attributes, of: application)
        items.append(
          .success(
            UnsealedItem(identifier: identifier, attributes: attributes, secret: start..<end)))
      } catch {
        items.append(.failure(error))
      }
      start = end
    }
    var sealed = try enclave.seal(
      items.compactMap { try? $0.get() }, request.secrets.bytes
    ).makeIterator()
    let rows = items.map { item in
      item.flatMap { item in
        (sealed.next() ?? .failure(EnclaveLink.mismatch)).map {
          NewRow(identifier: item.identifier, attributes: item.attributes, sealed: $0)
        }
      }
    }
    var isStored = try store.insert(rows.compactMap { try? $0.get() }).makeIterator()
    let results: [ItemsAdded.Result] = rows.map { row in
      switch row {
      case .success(let row):
        isStored.next() == true ? .added(ItemRow.text(of: row.identifier)) : .duplicate
      case .failure(let failure): .failed(failure)
      }
    }
    return ItemsAdded(results: results).encoded(capacity: 64 + 40 * results.count)
  }
}
