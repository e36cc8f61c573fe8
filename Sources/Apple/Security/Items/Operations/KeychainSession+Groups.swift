import CoreClient
import Foundation
import Protocol
import Synchronization

extension KeychainSession {
  /// Does something in each group that a request means: in the one that it names, else in the
  /// application's own and in the shared ones that the application belongs to.
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

  /// The groups that a request means, as queries name them.
  func groups(of request: ItemRequest) -> [String?] {
    // A reference says in which group its item is.
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
