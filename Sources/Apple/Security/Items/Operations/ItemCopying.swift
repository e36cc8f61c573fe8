import CoreClient
import CoreFoundationTypes
import Protocol

extension KeychainSession {
  /// What a request means, in the shape it asks for; nil where it asks for nothing but whether there
  /// is something.
  /// - Throws: `errSecItemNotFound`, `errSecDataNotAvailable` (a key of the enclave's has no data),
  ///   and what opening an item fails with.
  func copy(_ request: ItemRequest) throws(RequestProblem) -> AnyObject? {
    let limit: Int? =
      switch request.limit {
      case nil: 1
      case .all?: nil
      case .atMost(let count)?: count
      }
    if limit == 1, let opened = try openedAtOnce(request) { return opened.object(request.results) }
    let found = try find(request, atMost: limit)
    guard let first = found.first else { throw Self.nothingFound }
    guard !request.results.isEmpty else { return nil }
    if limit == 1 {
      let result: ItemResult
      do throws(Failure) {
        result = try self.result(of: first, request.results, in: group(of: first, request))
      } catch {
        throw .failed(error)
      }
      guard let object = result.object(request.results) else { throw .noData }
      return object
    }
    return try objects(of: found, request) as NSArray
  }

  /// Nothing is what was meant.
  static var nothingFound: RequestProblem {
    .failed(
      Failure(
        .errSecItemNotFound, "no such item is in the keychain of this application",
        hint: "SecItemAdd adds one"))
  }

  /// The one password that a request means, in one message; nil where that is not to be had so.
  private func openedAtOnce(_ request: ItemRequest) throws(RequestProblem) -> ItemResult? {
    guard request.results.contains(.data), !request.results.contains(.reference), !isSkipping,
      request.filter.isEmpty, case .item(let itemClass) = try request.meantKind(),
      itemClass == .generic || itemClass == .internet
    else { return nil }
    let groups = groups(of: request)
    guard groups.count == 1 else { return nil }
    let query = try request.itemQuery(itemClass, in: groups[0])
    do throws(Failure) {
      let got: GotItem = try ask(GetItem(query: query))
      SharedGroups.join(query.group)
      return ItemResult(
        item: .item(got.attributes), group: query.group, data: got.secret.foundationData())
    } catch {
      // Several match, of which the oldest is meant.
      guard error.code == .ambiguous else { throw .failed(error) }
      return nil
    }
  }

  /// What is wanted of several items. One that is gone meanwhile, or damaged, or left out where
  /// nobody may be asked, hinders nothing.
  private func objects(
    of items: [StoredItem], _ request: ItemRequest
  ) throws(RequestProblem) -> [AnyObject] {
    let shared = items.contains { $0.attributes.accessControl != nil } ? contextForSeveral() : nil
    var objects: [AnyObject] = []
    var isFirst = true
    var problem: Failure?
    for item in items {
      let session = forSeveral(shared, isFirst: isFirst)
      if item.attributes.accessControl != nil { isFirst = false }
      do throws(Failure) {
        let result = try session.result(of: item, request.results, in: group(of: item, request))
        if let object = result.object(request.results) { objects.append(object) }
      } catch {
        switch error.code {
        case .errSecItemNotFound, .errSecDecode: problem = error
        case .errSecInteractionNotAllowed where isSkipping: problem = error
        default: throw .failed(error)
        }
      }
    }
    if objects.isEmpty { throw problem.map { .failed($0) } ?? .noData }
    return objects
  }
}
