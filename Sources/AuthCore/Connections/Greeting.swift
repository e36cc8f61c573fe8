import ClientProtocol
import EngineKit
import Wire

/// How far a client has introduced itself. `Hello` comes first; `Quit` is always answered, so that
/// versions can part in peace.
enum Greeting: Equatable {
  case awaited
  case done
  /// The client speaks this version of the protocol, which the core does not.
  case foreign(UInt32)
  /// `Quit` has been granted.
  case quitting

  /// Nobody has said anything.
  init() { self = .awaited }

  /// Whether the client has said `Hello`.
  var isOver: Bool { self != .awaited }

  /// Handles `Hello` and `Quit`, and refuses what may not come yet; nil: the request may run.
  mutating func handle(
    _ request: QueuedRequest, _ bytes: borrowing SecretBytes, of connection: ClientConnection
  ) -> RequestOutcome? {
    do throws(DecodeError) {
      switch (request.number, self) {
      case (Hello.number, .awaited):
        return welcome(try ClientEnvelope.decode(bytes.bytes), request, connection.core)
      case (Quit.number, _):
        return quit(try ClientEnvelope.decode(bytes.bytes), request, connection.core)
      case (_, .done) where request.number != Hello.number: return nil
      case (_, .foreign(let version)):
        return .failure(
          Failure(
            .coreVersionMismatch,
            "the client speaks version \(version) of the protocol, this core version \(ClientEnvelope.version)",
            hint: "end the core with authcore quit, then run the command again"))
      default: return .garbage(.unknownMessage(number: request.number))
      }
    } catch {
      return .garbage(error)
    }
  }

  private mutating func welcome(
    _ hello: Hello, _ request: QueuedRequest, _ core: Core
  ) -> RequestOutcome {
    self =
      hello.protocolVersion == ClientEnvelope.version ? .done : .foreign(hello.protocolVersion)
    return .reply(
      ClientEnvelope.encode(
        Welcome(
          protocolVersion: ClientEnvelope.version,
          softwareVersion: ClientEnvelope.softwareVersion, isService: core.isService,
          process: core.process), request: request.identifier))
  }

  private mutating func quit(
    _ quit: Quit, _ request: QueuedRequest, _ core: Core
  ) -> RequestOutcome {
    if quit.unlessUnlocked, !core.holdsNothing {
      return .failure(
        Failure(
          .busy, "the core is needed: the device is unlocked, or a finger unlocks it",
          hint: "lock it first, or end the core with authcore quit"))
    }
    self = .quitting
    return .reply(ClientEnvelope.encode(Done(), request: request.identifier))
  }
}
