import Glibc
import LinuxSystem
import Protocol

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
        if let objection = connection.link.objectionToWelcome { return .refusal(objection) }
        return welcome(try ClientEnvelope.decode(bytes.bytes), request, connection.core)
      case (Quit.number, _):
        return quit(try ClientEnvelope.decode(bytes.bytes), request, connection)
      case (ServeUser.number, .done):
        return serve(try ClientEnvelope.decode(bytes.bytes), connection.link.peer)
      case (_, .done) where request.number != Hello.number: return nil
      case (_, .foreign(let version)):
        return .failure(
          Failure(
            .coreVersionMismatch,
            "the client speaks version \(version) of the protocol, this core version \(ClientEnvelope.version)",
            hint: connection.core.isService
              ? "run: sudo systemctl restart authcored, then the command again"
              : "end the core with authcore quit, then run the command again"))
      default: return .garbage(.unknownMessage(number: request.number))
      }
    } catch {
      return .garbage(error)
    }
  }

  private mutating func welcome(
    _ hello: Hello, _ request: QueuedRequest, _ core: Core
  ) -> RequestOutcome {
    let welcome = answer(hello, isService: core.isService)
    return .reply(ClientEnvelope.encode(welcome, request: request.identifier))
  }

  /// Takes a client's introduction.
  /// - Returns: the core's.
  mutating func answer(_ hello: Hello, isService: Bool) -> Welcome {
    self =
      hello.protocolVersion == ClientEnvelope.version ? .done : .foreign(hello.protocolVersion)
    return Welcome(
      protocolVersion: ClientEnvelope.version, softwareVersion: ClientEnvelope.softwareVersion,
      isService: isService, process: UInt32(getpid()))
  }

  /// Answers who asks to be served as another user and is not root, or asks too late: root's
  /// connections are given away before they get here (``RootGreeting``).
  private func serve(
    _: ServeUser, _ peer: PeerCredentials
  ) -> RequestOutcome {
    guard peer.user != 0 else {
      return .failure(
        Failure(.usage, "ServeUser comes right after Hello, to the service of the machine"))
    }
    return .failure(
      Failure(
        .errSecMissingEntitlement,
        "only root is served as another user, and this client is user \(peer.user)"))
  }

  private mutating func quit(
    _ quit: Quit, _ request: QueuedRequest, _ connection: ClientConnection
  ) -> RequestOutcome {
    let core = connection.core
    if core.isService, connection.link.peer.user != 0 {
      return .failure(
        Failure(
          .refusedByService, "the service of the machine ends for root only",
          hint: "to close your keychain, lock it: authcore lock"))
    }
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
