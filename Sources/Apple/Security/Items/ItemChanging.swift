import CoreFoundationTypes
import Protocol

extension KeychainSession {
  /// Changes the items of a request. In each group all of them change or none, unless they are
  /// filtered here and not by the keychain.
  /// - Throws: `errSecParam` for impossible changes, `errSecUnimplemented` for enclave keys and
  ///   identities, `errSecItemNotFound`, `errSecDuplicateItem`, and the failures of opening a
  ///   protected item.
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
      // The keychain sets the times; to change them is to change nothing.
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

  /// Removes all items of a request. Nobody is asked.
  /// - Throws: `errSecParam` for a limit, `errSecItemNotFound`.
  func delete(_ request: ItemRequest) throws(RequestProblem) {
    let kind = try request.meantKind()
    // Apple's keychain takes no limit here either: which of several items goes would be arbitrary.
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
