import Glibc
import LinuxSystem
import Protocol

/// How far a client has introduced itself. `Hello` comes first. `Quit` is always answered, even
/// between versions that do not understand each other.
enum Greeting: Equatable {
  case awaited
  case done
  /// The client speaks this version of the protocol, which the core does not.
  case foreign(UInt32)
  /// `Quit` has been granted.
  case quitting

  /// Whether the client has said `Hello`.
  var isOver: Bool { self != .awaited }

  /// Handles `Hello` and `Quit`, and refuses what may not come yet. Returns nil if the request may
  /// run.
  mutating func handle(
    _ request: QueuedRequest, _ bytes: borrowing SecretBytes, of connection: ClientConnection
  ) -> RequestOutcome? {
    do throws(DecodeError) {
      switch (request.number, self) {
      case (Hello.number, .awaited):
        if let objection = connection.link.objectionToWelcome { return .refusal(objection) }
        let welcome = answer(
          try ClientEnvelope.decode(bytes.bytes), isService: connection.core.isService)
        return .reply(ClientEnvelope.encode(welcome, request: request.identifier))
      case (Quit.number, _):
        return quit(try ClientEnvelope.decode(bytes.bytes), request, connection)
      case (ServeUser.number, .done):
        let _: ServeUser = try ClientEnvelope.decode(bytes.bytes)
        return refuseToServe(connection.link.peer)
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

  /// Takes a client's introduction and gives the core's.
  mutating func answer(_ hello: Hello, isService: Bool) -> Welcome {
    self = hello.protocolVersion == ClientEnvelope.version ? .done : .foreign(hello.protocolVersion)
    return Welcome(
      protocolVersion: ClientEnvelope.version, softwareVersion: ClientEnvelope.softwareVersion,
      isService: isService, process: UInt32(getpid()))
  }

  /// Refuses a client that asks to be served as another user, but is not root or asks too late.
  /// Root's connections are passed on before they get here (``RootGreeting``).
  private func refuseToServe(_ peer: PeerCredentials) -> RequestOutcome {
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
    if quit.unlessUnlocked, !core.enclaves.holdNothing {
      return .failure(
        Failure(
          .busy, "the core is needed: the device is unlocked, or a finger unlocks it",
          hint: "lock it first, or end the core with authcore quit"))
    }
    self = .quitting
    return .reply(ClientEnvelope.encode(Done(), request: request.identifier))
  }
}
