import Protocol

/// A connection that several threads use in turn.
///
/// Sendable: ``ConnectionPool`` lends it to one thread at a time.
final class PooledConnection: @unchecked Sendable {
  let connection: CoreConnection
  /// Whether a request of it may have started the driver that the application names.
  var hasStartedDriver = false
  private var isLost = false

  init(_ connection: CoreConnection) { self.connection = connection }

  /// Tells the core that nobody names a context any more; nobody waits for the answer.
  func end(_ context: UInt64) { connection.sendUnanswered(InvalidateContext(context: context)) }

  /// Carries out one request, and notices where the connection does not outlast it.
  func carryOut<Reply: ~Copyable>(
    _ body: (CoreConnection) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    do throws(Failure) {
      return try body(connection)
    } catch {
      isLost = isLost || connection.isClosed
      throw error
    }
  }

  /// Whether a request can be sent, as far as can be told before: the core is there and has not
  /// given the place to somebody else.
  var isUsable: Bool { !isLost && !connection.isClosed }
}
