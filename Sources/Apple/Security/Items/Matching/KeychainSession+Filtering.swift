import Protocol

extension KeychainSession {
  /// What is left of items when a request's filter has looked at them.
  func filtered(
    _ items: [StoredItem], by request: ItemRequest
  ) throws(RequestProblem) -> [StoredItem] {
    let filter = request.filter
    guard !filter.isEmpty else { return items }
    var left = items.filter { filter.matches($0.attributes) }
    if let listed = filter.items { left = try Self.listed(left, by: listed) }
    if let issuers = filter.issuers { left = try issued(left, by: issuers, request) }
    if let moment = filter.validAt {
      var valid: [StoredItem] = []
      for item in left {
        if try validity(of: item, request)?.contains(moment) == true { valid.append(item) }
      }
      left = valid
    }
    return left
  }

  private static func listed(
    _ items: [StoredItem], by listed: [ItemFilter.ListedItem]
  ) throws(RequestProblem) -> [StoredItem] {
    var left: [StoredItem] = []
    for item in items {
      for entry in listed where try item.isMeant(by: entry) {
        left.append(item)
        break
      }
    }
    return left
  }

  private func issued(
    _ items: [StoredItem], by issuers: [[UInt8]], _ request: ItemRequest
  ) throws(RequestProblem) -> [StoredItem] {
    var all = ItemRequest()
    all.kind = .item(.certificate)
    all.synchronizability = .either
    all.group = request.namedGroup
    let certificates = try find(all, atMost: nil).map(\.attributes)
    return items.filter { $0.attributes.isIssued(by: issuers, through: certificates) }
  }

  /// When a certificate is valid; nil where it is gone or says nothing of it.
  private func validity(
    of item: StoredItem, _ request: ItemRequest
  ) throws(RequestProblem) -> ClosedRange<Int64>? {
    do throws(Failure) {
      return try ReferenceMaking.validity(
        of: try certificate(of: item, in: group(of: item, request)))
    } catch {
      guard error.code == .errSecItemNotFound || error.code == .errSecDecode else {
        throw .failed(error)
      }
      return nil
    }
  }
}

extension StoredItem {
  /// Whether an entry of a list of items means it.
  fileprivate func isMeant(by entry: ItemFilter.ListedItem) throws(RequestProblem) -> Bool {
    switch entry {
    case .persistent(let reference): return isMeant(by: reference)
    case .referenced(let referenced):
      let attributes = attributes
      let terms = try referenced.terms(of: .certificate) + referenced.terms(of: .key)
      return !terms.isEmpty && terms.allSatisfy { attributes.values[$0.0] == $0.1 }
    }
  }
}
