import Glibc
import LinuxSystem
import Protocol

/// The connections of one process to its core. They are opened as needed, kept for later requests,
/// and lent to one thread at a time.
///
/// A context belongs to the connection that opened it (decision 0015), so contexts share a few
/// connections, and each stays with its own.
final class ConnectionPool: Sendable {
  private struct Entry {
    let connection: CoreConnection
    var isLent: Bool
    /// How many contexts belong to it.
    var contexts = 0
    /// Contexts that are closed here but not yet at the core.
    var ended: [UInt64] = []
  }

  private struct State {
    var entries: [Entry] = []
    /// How many threads are connecting.
    var connecting = 0
    /// The process that connected: after fork(2) the connections belong to the parent.
    var process = getpid()

    mutating func forgetParent() {
      guard process != getpid() else { return }
      self = State()
    }

    mutating func dropLost() { entries.removeAll { !$0.isLent && $0.connection.isClosed } }

    mutating func closeIdle() {
      let idle = entries.indices.filter { !entries[$0].isLent && entries[$0].contexts == 0 }
      for index in idle.dropFirst(mostIdle).reversed() { entries.remove(at: index) }
    }
  }

  /// For a process whose threads all call at once.
  static let mostConnections = 12
  /// How many connections without a context are kept for later requests.
  private static let mostIdle = 3

  private let state = Guarded(State())
  private let connect: @Sendable () throws(Failure) -> CoreConnection

  init(connect: @escaping @Sendable () throws(Failure) -> CoreConnection) {
    self.connect = connect
  }

  /// The answer to a thread that asks for a connection.
  private enum Grant: Sendable {
    case lent(CoreConnection)
    case connectsItself
  }

  /// Lends a connection until ``give(back:)``: an idle one, else a new one, else the first that is
  /// returned.
  /// - Parameter forContext: whether it will hold a context, which goes on needing it.
  /// - Returns: the connection.
  /// - Throws: why no core could be reached.
  func take(forContext: Bool = false) throws(Failure) -> CoreConnection {
    let grant: Grant = state.wait { state in
      state.forgetParent()
      state.dropLost()
      let isFull = state.entries.count + state.connecting >= Self.mostConnections
      // If there is room, a context gets a connection without another one, so that its prompts make
      // no other context wait.
      let idle = state.entries.indices.filter { !state.entries[$0].isLent }
      let best = idle.min { state.entries[$0].contexts < state.entries[$1].contexts }
      if let best, isFull || !forContext || state.entries[best].contexts == 0 {
        state.entries[best].isLent = true
        if forContext { state.entries[best].contexts += 1 }
        return .lent(state.entries[best].connection)
      }
      guard !isFull else { return nil }
      state.connecting += 1
      return .connectsItself
    }
    guard case .connectsItself = grant else {
      guard case .lent(let connection) = grant else { preconditionFailure("a grant is one of two") }
      return connection
    }
    do throws(Failure) {
      let connection = try connect()
      state.update { state in
        state.connecting -= 1
        state.entries.append(
          Entry(connection: connection, isLent: true, contexts: forContext ? 1 : 0))
      }
      return connection
    } catch {
      state.update { $0.connecting -= 1 }
      throw error
    }
  }

  /// Lends the connection of a context, when it is free.
  /// - Returns: nil if the connection, and so the context, is lost.
  func take(_ connection: CoreConnection) -> CoreConnection? {
    let taken: CoreConnection?? = state.wait { state in
      state.forgetParent()
      guard let index = state.entries.firstIndex(where: { $0.connection === connection }) else {
        return .some(nil)
      }
      guard !state.entries[index].isLent else { return nil }
      guard !connection.isClosed else {
        state.entries.remove(at: index)
        return .some(nil)
      }
      state.entries[index].isLent = true
      return .some(connection)
    }
    return taken ?? nil
  }

  func give(back connection: CoreConnection) {
    while let ended = endedContexts(of: connection) {
      for context in ended {
        // The answer is ignored.
        connection.sendUnanswered(InvalidateContext(context: context))
      }
    }
  }

  /// Takes back a connection on which no context could be opened.
  func giveBackWithoutContext(_ connection: CoreConnection) {
    state.update { state in
      let index = state.entries.firstIndex { $0.connection === connection }
      if let index { state.entries[index].contexts -= 1 }
    }
    give(back: connection)
  }

  /// The closed contexts to tell the core about before a connection is idle, or nil if it is idle
  /// now.
  private func endedContexts(of connection: CoreConnection) -> [UInt64]? {
    state.update { state in
      guard let index = state.entries.firstIndex(where: { $0.connection === connection }) else {
        return nil
      }
      let ended = state.entries[index].ended
      guard ended.isEmpty || connection.isClosed else {
        state.entries[index].ended = []
        return ended
      }
      state.entries[index].isLent = false
      state.dropLost()
      state.closeIdle()
      return nil
    }
  }

  /// Closes a context. Never waits for its connection.
  func end(_ context: UInt64, in connection: CoreConnection) {
    let isIdle = state.update { state in
      guard let index = state.entries.firstIndex(where: { $0.connection === connection }) else {
        return false
      }
      state.entries[index].contexts -= 1
      state.entries[index].ended.append(context)
      defer { state.entries[index].isLent = true }
      return !state.entries[index].isLent
    }
    if isIdle { give(back: connection) }
  }
}
