import Protocol

/// An item to be sealed, and where among the secrets of all its own lies.
struct UnsealedItem {
  let identifier: [UInt8]
  let attributes: ItemAttributes
  let secret: Range<Int>
}

extension EnclaveLink {
  /// Most bytes of items in one message, which holds their secrets and so is to lie in locked
  /// memory (`SecretArena.largestBlock`) on its whole way.
  private static let sealingBytes = 96 << 10

  /// Has items sealed and hashed, in as few messages as may be: in the order of their secrets, each
  /// of the group that its attributes name. A message ends where a secret does not begin at the end
  /// of the one before, as behind an item that was refused. As many results as there are items.
  func seal(
    _ items: [UnsealedItem], _ secrets: Span<UInt8>
  ) throws(Failure) -> [Result<SealedRow, Failure>] {
    var results: [Result<SealedRow, Failure>] = []
    results.reserveCapacity(items.count)
    var batch: [SealItems.Item] = []
    var size = 0
    for (index, item) in items.enumerated() {
      let entry = SealItems.Item(
        protection: Self.protection(of: item.attributes, item.identifier),
        names: names(of: item.attributes, in: item.attributes.group),
        attributes: Self.encoded(item.attributes), secretCount: UInt32(item.secret.count))
      let isNext = index == 0 || items[index - 1].secret.upperBound == item.secret.lowerBound
      if !batch.isEmpty, !isNext || size + entry.size > Self.sealingBytes {
        results += try seal(batch, secrets, of: items[results.count..<index])
        (batch, size) = ([], 0)
      }
      batch.append(entry)
      size += entry.size
    }
    if !batch.isEmpty { results += try seal(batch, secrets, of: items[results.count...]) }
    return results
  }

  /// Sends one message.
  private func seal(
    _ batch: [SealItems.Item], _ secrets: Span<UInt8>, of items: ArraySlice<UnsealedItem>
  ) throws(Failure) -> [Result<SealedRow, Failure>] {
    let request = SealItems(
      names: [Self.identifyingName], items: batch,
      secrets: secrets.extracting(
        (items.first?.secret.lowerBound ?? 0)..<(items.last?.secret.upperBound ?? 0)))
    let reply: SealedItems = try decode(call(request.encoded()))
    guard reply.results.count == batch.count, try withoutIdentity(reply.hashes).isEmpty else {
      throw Self.mismatch
    }
    var results: [Result<SealedRow, Failure>] = []
    for result in reply.results {
      switch result {
      case .sealed(let item):
        guard let name = HashedName(hashes: item.hashes) else { throw Self.mismatch }
        results.append(
          .success(SealedRow(name: name, attributes: item.attributes, secret: item.secret)))
      case .failed(let failure): results.append(.failure(failure))
      }
    }
    return results
  }
}
