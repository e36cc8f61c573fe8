import CoreClient
import Synchronization

/// Those who want to hear of changes of an environment, and the thread that looks for changes while
/// there are any: a core tells nobody of its own accord.
final class ObserverList: Sendable {
  private struct Entry: Sendable {
    weak var observer: (any LAEnvironment.Observer)?
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    /// Whether somebody looks.
    var isWatched = false
  }

  private let client: ApplicationClient
  private let state = Mutex(State())

  /// How often is looked, in seconds.
  static let interval = 2.0

  init(_ client: ApplicationClient) { self.client = client }

  /// Has somebody told.
  func add(_ observer: any LAEnvironment.Observer, of environment: LAEnvironment) {
    let begins = state.withLock { state in
      state.entries.removeAll { $0.observer == nil || $0.observer === observer }
      state.entries.append(Entry(observer: observer))
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if begins { look(at: environment, since: environment.state) }
  }

  /// Has somebody told no more.
  func remove(_ observer: any LAEnvironment.Observer) {
    state.withLock { state in
      state.entries.removeAll { $0.observer == nil || $0.observer === observer }
    }
  }

  private func look(at environment: LAEnvironment, since former: LAEnvironment.State) {
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { [self] in
      let observers = state.withLock { state in
        let observers = state.entries.compactMap(\.observer)
        state.isWatched = !observers.isEmpty
        return observers
      }
      guard !observers.isEmpty else { return }
      let current = environment.state
      if current != former {
        for observer in observers {
          observer.environment(environment, stateDidChangeFromOldState: former)
        }
      }
      look(at: environment, since: current)
    }
  }
}
