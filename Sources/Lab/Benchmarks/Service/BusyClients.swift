import CoreClient
import LinuxSystem
import Protocol

/// Clients that ask the service for an item again and again, each on a thread and a connection of
/// its own.
final class BusyClients: Sendable {
  private struct State: Sendable {
    var samples: [Sample] = []
    var failures: [Failure] = []
    var running: Int
  }

  private let state: Guarded<State>

  /// Asks as many times as `requests` by each of the connections, and waits until that is done.
  /// - Parameters:
  ///   - connections: the clients; each is given away.
  ///   - requests: how often each asks.
  ///   - pause: how long each waits between two requests.
  init(_ connections: [CoreConnection], requests: Int, pause: Duration) {
    state = Guarded(State(running: connections.count))
    for (number, connection) in connections.enumerated() {
      let client = Client(connection)
      let nanoseconds = UInt64(pause / .nanoseconds(1))
      // Not all at the same moment.
      let offset = nanoseconds * UInt64(number) / UInt64(connections.count)
      SystemThread.start(name: "busy") { [state] in
        var sample = Sample()
        var failure: Failure?
        if offset > 0 { SystemThread.sleep(nanoseconds: offset) }
        for _ in 0..<requests where failure == nil {
          do throws(Failure) {
            try sample.measure { () throws(Failure) in
              try ServiceItems.get(0, from: client.connection)
            }
          } catch {
            failure = error
          }
          if nanoseconds > 0 { SystemThread.sleep(nanoseconds: nanoseconds) }
        }
        state.update { state in
          state.samples.append(sample)
          if let failure { state.failures.append(failure) }
          state.running -= 1
        }
      }
    }
    state.wait { $0.running == 0 ? () : nil }
  }

  /// How many could not go on.
  var failures: Int { state.read { $0.failures.count } }

  /// What the first of those was told.
  var firstFailure: String? { state.read { $0.failures.first?.message } }

  /// The median of each client, in their order.
  var medians: [Duration] { state.read { $0.samples.map(\.median).sorted() } }

  /// A connection that one thread has to itself.
  private final class Client: @unchecked Sendable {
    // Sendable: made by one thread and from then on used by another one alone.
    let connection: CoreConnection
    init(_ connection: CoreConnection) { self.connection = connection }
  }
}
