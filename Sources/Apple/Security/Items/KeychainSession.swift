package import CoreClient
@_exported public import CoreFoundationTypes
import Foundation
import Protocol
import Synchronization

// Source compatible with Apple's framework of this name.

/// The type of `kSecUseAuthenticationContext`: `LAContext`. Applications do not implement it.
public protocol _AuthenticationContext: AnyObject {
  /// The evidence and prompt for a request in this context, at the moment of the request. Any
  /// thread.
  var _authentication: _Authentication { get }
}

/// What a context lends to a request: the evidence in the enclave, and the prompt.
public struct _Authentication: Sendable {
  /// Holds the evidence.
  package let context: ApplicationContext
  /// What the owner is told if the request asks; `isAllowed` is false if the context allows no
  /// interaction (`interactionNotAllowed`).
  package let prompting: Prompting

  package init(in context: ApplicationContext, _ prompting: Prompting) {
    (self.context, self.prompting) = (context, prompting)
  }
}

extension Prompting {
  /// A prompt with the application's name from its `Info.plist`, a file beside the executable
  /// (`Bundle.main`).
  package static var ofApplication: Prompting { Prompting(applicationName: statedName) }

  private static let statedName: String? = ["CFBundleDisplayName", "CFBundleName"].lazy
    .compactMap { Bundle.main.object(forInfoDictionaryKey: $0) as? String }
    .first { !$0.isEmpty }
}

/// The keychain for one request of SecItem: its context, and the prompt.
struct KeychainSession {
  let keychain: Keychain
  private let hasContext: Bool
  private let prompting: Prompting
  /// Whether items that need a proof are left out.
  let isSkipping: Bool
  /// What the context of the request lends to references.
  let authentication: _Authentication?

  init(_ request: ItemRequest) {
    authentication = request.authentication
    prompting = request.prompting
    isSkipping = request.interaction == .skipped
    let context = request.authentication?.context
    hasContext = context != nil
    keychain = Keychain(.current, request.prompting, in: context)
  }

  private init(_ session: KeychainSession, in context: ApplicationContext, beginsTape: Bool) {
    authentication = session.authentication
    prompting = session.prompting
    isSkipping = session.isSkipping
    hasContext = true
    keychain = Keychain(.current, session.prompting, in: context, beginsTape: beginsTape)
  }

  /// The session for a request about several items: a proof for one serves the others, but nothing
  /// after the request. `isFirst` marks the first item.
  func forSeveral(_ shared: ApplicationContext?, isFirst: Bool) -> KeychainSession {
    guard !hasContext, let shared else { return self }
    return KeychainSession(self, in: shared, beginsTape: isFirst)
  }

  /// A context that lives as long as the request, or nil if the request has one.
  func contextForSeveral() -> ApplicationContext? {
    hasContext ? nil : ApplicationContext()
  }

  func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self
  ) throws(RequestProblem) -> Reply {
    do throws(Failure) {
      return try keychain.ask(message)
    } catch {
      throw .failed(error)
    }
  }

  /// Opens an item; `group` is the name that the request used for its group.
  /// - Throws: what opening it fails with.
  func open(_ attributes: ItemAttributes, in group: String?) throws(Failure) -> GotItem {
    try keychain.open(Self.query(naming: attributes, in: group))
  }

  /// The certificate of an item or of an identity, in DER.
  /// - Throws: what reading it fails with; `errSecParam` for an item of another class.
  func certificate(of item: StoredItem, in group: String?) throws(Failure) -> [UInt8] {
    let got: GotCertificate = try keychain.ask(
      GetCertificate(query: Self.query(naming: item.attributes, in: group)))
    return got.certificate
  }

  static func query(naming attributes: ItemAttributes, in group: String?) -> ItemQuery {
    var among = ItemQuery()
    among.group = group
    return ItemQuery(naming: attributes, among: among)
  }
}

extension KeychainSession {
  /// Calls `body` for each group of a request: the one that it names, else the application's own
  /// and the shared ones that the application belongs to.
  ///
  /// If one group has nothing, or is closed, the others still count.
  /// - Parameters:
  ///   - request: what is meant.
  ///   - body: is given the group as queries name it; nil is the application's own.
  /// - Returns: what `body` returned for each group that has something.
  /// - Throws: why no group has anything; any other failure at once.
  func inGroups<Success>(
    of request: ItemRequest, _ body: (String?) throws(RequestProblem) -> Success
  ) throws(RequestProblem) -> [Success] {
    var successes: [Success] = []
    var problem: RequestProblem?
    for group in groups(of: request) {
      do throws(RequestProblem) {
        successes.append(try body(group))
      } catch {
        switch error.status {
        case errSecItemNotFound: problem = problem ?? error
        case errSecInteractionNotAllowed: problem = error
        default: throw error
        }
      }
      SharedGroups.join(group)
    }
    if successes.isEmpty, let problem { throw problem }
    return successes
  }

  /// The groups of a request, as queries name them.
  func groups(of request: ItemRequest) -> [String?] {
    // A reference contains the group of its item.
    if request.persistentReference != nil { return [request.namedGroup] }
    return request.group.map { [$0] } ?? [nil] + SharedGroups.all
  }

  /// How a query names the group of an item that a request found.
  func group(of item: StoredItem, _ request: ItemRequest) -> String? {
    let group = item.attributes.group
    return request.namedGroup ?? (SharedGroups.all.contains(group) ? group : nil)
  }
}

/// The groups of several programs that this application belongs to. Nothing on Linux grants
/// membership, so an application joins a group by naming it (docs/decisions/0028).
enum SharedGroups {
  /// Those that the `Info.plist` beside the executable lists, then those that the application has
  /// named since it started.
  static var all: [String] {
    ApplicationClient.current.namedGroups.withLock { named in
      listed + named.filter { !listed.contains($0) }
    }
  }

  /// Remembers a group that the keychain let the application name. The application's own group is a
  /// path and is searched anyway.
  static func join(_ group: String?) {
    guard let group, !group.isEmpty, !group.hasPrefix("/") else { return }
    ApplicationClient.current.namedGroups.withLock { named in
      if !named.contains(group) { named.append(group) }
    }
  }

  private static let listed = listed(in: .main)

  /// The groups that a bundle lists. Its `Info.plist` has them under the key that Apple's
  /// entitlements use.
  static func listed(in bundle: Bundle) -> [String] {
    let value = bundle.object(forInfoDictionaryKey: "keychain-access-groups")
    return (value as? [String] ?? []).filter { !$0.isEmpty && !$0.hasPrefix("/") }
  }
}
