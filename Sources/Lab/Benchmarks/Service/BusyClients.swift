import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// Clients that ask the service for an item again and again, each on its own thread and connection.
final class BusyClients: Sendable {
  private struct State: Sendable {
    var samples: [Sample] = []
    var failures: [Failure] = []
    var running: Int
  }

  private let state: Guarded<State>

  /// Asks `requests` times by each connection, with a pause after each, and waits until that is
  /// done.
  init(_ connections: [CoreConnection], requests: Int, pause: Duration) {
    state = Guarded(State(running: connections.count))
    for (number, connection) in connections.enumerated() {
      let nanoseconds = UInt64(pause / .nanoseconds(1))
      // Not all at the same moment.
      let offset = nanoseconds * UInt64(number) / UInt64(connections.count)
      SystemThread.start(name: "busy") { [state] in
        var sample = Sample()
        var failure: Failure?
        if offset > 0 { SystemThread.sleep(nanoseconds: offset) }
        for _ in 0..<requests where failure == nil {
          do throws(Failure) {
            try sample.measure { () throws(Failure) in try ServiceItems.get(0, from: connection) }
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

  var failures: Int { state.read { $0.failures.count } }

  var firstFailure: String? { state.read { $0.failures.first?.message } }

  /// Of each client, sorted.
  var medians: [Duration] { state.read { $0.samples.map(\.median).sorted() } }

}

/// Writers that add items until a process of the service is killed, and what is there afterwards.
struct ServiceKill {
  /// Adds that were acknowledged before the kill.
  let acknowledged: Int
  /// Those of them that are missing afterwards.
  let lost: Int
  let unanswered: Int
  /// From the kill to the first answer after it.
  let back: Duration

  private struct State: Sendable {
    var acknowledged: [Int] = []
    var answered = 0
    var isKilled = false
  }

  /// How long the writers have before the kill, and after it to notice it.
  private static let seconds: (before: UInt64, after: UInt64) = (1, 10)
  private static let most = 1_000_000

  init(_ service: ScratchService, writers: Int, round: Int, killsHost: Bool) throws {
    let state = Guarded(State())
    let (path, base) = (service.path, (round + 1) * 1000 * Self.most)
    for writer in 0..<writers {
      SystemThread.start(name: "writer") {
        do throws(Failure) {
          let access = CoreAccess(to: .service(socket: path), program: "/none")
          let connection = try access.connect()
          for number in 0..<Self.most where !state.read({ $0.isKilled && killsHost }) {
            let name = base + writer * Self.most + number
            try ServiceItems.add(name, to: connection)
            state.update { $0.acknowledged.append(name) }
          }
        } catch {
          // The kill made the request fail, as it should.
        }
        state.update { $0.answered += 1 }
      }
    }
    SystemThread.sleep(nanoseconds: Self.seconds.before * 1_000_000_000)
    let start = ContinuousClock.now
    if killsHost {
      for host in service.hosts { Glibc.kill(host, SIGKILL) }
      state.update { $0.isKilled = true }
    } else {
      state.update { $0.isKilled = true }
      service.kill()
      try service.start()
    }
    let connection = try Self.firstAnswer(service)
    back = .now - start
    let all = state.wait(nanoseconds: Self.seconds.after * 1_000_000_000) { state -> Bool? in
      state.answered == writers ? true : nil
    }
    unanswered = all == true ? 0 : writers - state.read { $0.answered }
    let names = state.read { $0.acknowledged }
    acknowledged = names.count
    lost = names.count { name in (try? ServiceItems.get(name, from: connection)) == nil }
  }

  /// Asks for an item until it is answered.
  private static func firstAnswer(_ service: ScratchService) throws -> CoreConnection {
    let limit = ContinuousClock.now + .seconds(30)
    var last = "nothing"
    while ContinuousClock.now < limit {
      do throws(Failure) {
        let connection = try service.connect()
        try ServiceItems.get(0, from: connection)
        return connection
      } catch {
        last = error.message
        SystemThread.sleep(nanoseconds: 1_000_000)
      }
    }
    throw BenchmarkFailure("the service does not come back: \(last)")
  }
}
