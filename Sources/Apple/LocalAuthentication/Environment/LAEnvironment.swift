import CoreClient
import Synchronization

/// What there is to prove the owner's presence with, for an application that shows it: which
/// mechanisms there are, and whether they can be used at this moment.
///
/// Any thread. Whatever asks for the state waits for the core.
public final class LAEnvironment: NSObject, Sendable {
  /// The environment of the user who runs this program.
  public class var currentUser: LAEnvironment { shared }

  private static let shared = LAEnvironment(.shared)

  private let client: ApplicationClient
  private let observers: ObserverList

  /// That of the core which a client reaches.
  init(_ client: ApplicationClient) {
    self.client = client
    observers = ObserverList(client)
  }

  /// What there is at this moment. Where the core cannot be reached there is nothing.
  public var state: State { State.current(client) }

  /// Has an observer told of changes, until it is removed or released. Told on a thread of the
  /// environment's, some seconds after the change.
  public func addObserver(_ observer: any Observer) { observers.add(observer, of: self) }

  /// An observer that hears of no more changes.
  public func removeObserver(_ observer: any Observer) { observers.remove(observer) }

  /// Who wants to hear of changes.
  public protocol Observer: AnyObject, Sendable {
    /// The state is another one than before.
    /// - Parameters:
    ///   - environment: whose ``LAEnvironment/state`` it is.
    ///   - oldState: the one before.
    func environment(
      _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State)
  }
}

extension LAEnvironment.Observer {
  /// Does nothing.
  public func environment(
    _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State
  ) {}
}
