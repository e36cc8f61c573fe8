import CoreFoundationTypes
import Protocol

extension KeychainSession {
  /// Changes what a request means as another dictionary says. In each group it is all or nothing,
  /// unless items are picked here and not by the keychain.
  /// - Throws: `errSecParam` for changes that cannot be, `errSecUnimplemented` for keys of the
  ///   enclave's and identities, `errSecItemNotFound`, `errSecDuplicateItem`, and what opening a
  ///   protected item fails with.
  func update(_ request: ItemRequest, by changes: ItemRequest) throws(RequestProblem) {
    let kind = try request.meantKind()
    guard changes.kind == nil || changes.kind == kind, changes.persistentReference == nil,
      changes.reference == nil, changes.results.isEmpty, changes.limit == nil,
      changes.synchronizability != .either, request.limit == nil || request.limit == .all
    else { throw .wrongValue }
    guard case .item(let itemClass) = kind else { throw .unimplemented }
    let itemChanges = try changes.itemChanges()
    guard changes.secret?.length ?? 0 <= largestItemSecret else { throw .tooLarge }
    guard itemChanges != ItemChanges() || changes.secret != nil else {
      // Times are the keychain's to say, and no change.
      guard changes.filter.createdAt != nil || changes.filter.modifiedAt != nil else {
        throw .wrongValue
      }
      guard try !find(request, atMost: 1).isEmpty else { throw Self.nothingFound }
      return
    }
    if request.filter.isEmpty, itemClass != .key {
      _ = try inGroups(of: request) { (group) throws(RequestProblem) in
        try send(try request.itemQuery(itemClass, in: group), itemChanges, changes.secret)
      }
      return SharedGroups.join(changes.group)
    }
    let found = try find(request, atMost: nil)
    guard !found.isEmpty else { throw Self.nothingFound }
    for item in found {
      guard case .item(let attributes) = item else { throw .unimplemented }
      try send(
        Self.query(naming: attributes, in: group(of: item, request)), itemChanges, changes.secret)
    }
    SharedGroups.join(changes.group)
  }

  private func send(
    _ query: ItemQuery, _ changes: ItemChanges, _ secret: NSData?
  ) throws(RequestProblem) {
    let _: ItemsChanged = try ask(
      UpdateItems(
        query: query, changes: changes, allowsSeveral: true, replacesSecret: secret != nil,
        secret: (secret ?? NSData()).secretBytes()))
  }

  /// Removes everything that a request means; nobody is asked.
  /// - Throws: `errSecParam` if one of several is wanted, `errSecItemNotFound`.
  func delete(_ request: ItemRequest) throws(RequestProblem) {
    let kind = try request.meantKind()
    // Apple's keychain takes no limit here: which of several goes would be left to chance.
    guard request.limit == nil || request.limit == .all else { throw .wrongValue }
    if request.filter.isEmpty, case .item(let itemClass) = kind, itemClass != .key {
      _ = try inGroups(of: request) { (group) throws(RequestProblem) in
        try remove(try request.itemQuery(itemClass, in: group))
      }
      return
    }
    let found = try find(request, atMost: nil)
    guard !found.isEmpty else { throw Self.nothingFound }
    for item in found { try remove(item, in: group(of: item, request)) }
  }

  private func remove(_ item: StoredItem, in group: String?) throws(RequestProblem) {
    switch item {
    case .item(let attributes): try remove(Self.query(naming: attributes, in: group))
    case .enclaveKey(let key):
      let query = KeyQuery(identifier: key.identifier, group: group)
      let _: ItemsChanged = try ask(RemoveKey(query: query))
    case .identity(let certificate, let key):
      try remove(Self.query(naming: certificate, in: group))
      try remove(key, in: group)
    }
  }

  private func remove(_ query: ItemQuery) throws(RequestProblem) {
    let _: ItemsChanged = try ask(RemoveItems(query: query, allowsSeveral: true))
  }
}

extension ItemRequest {
  fileprivate func itemChanges() throws(RequestProblem) -> ItemChanges {
    var changes = ItemChanges()
    changes.terms = terms
    changes.group = group
    if case .exactly(let isSynchronizable) = synchronizability {
      changes.isSynchronizable = isSynchronizable
    }
    changes.accessibility = accessibility
    if let said = accessControl?.protection ?? protection {
      let isStated = said.isDeprecated && accessControl?.accessControl == nil
      changes.terms[.statedAccessibility] = .text(isStated ? said.text : "")
    }
    if let accessControl {
      changes.guarding = accessControl.accessControl.map { .by($0) } ?? .nothing
    }
    try requireKeepable(
      isSynchronizable: changes.isSynchronizable == true, accessControl?.accessControl)
    return changes
  }
}
