package import DBus
import LinuxSystem
import Protocol
import Synchronization

/// Says of the service's clients whether they are in the foreground, by the word of logind and of the
/// kernel, and watches whether they stay there. Any thread.
package final class Foreground: Sendable {
  private let manager: LoginManager
  private let changes: LoginChanges
  private let screenLocks = Mutex(ScreenLocks.known)

  /// Asks whoever listens there.
  package init(_ manager: LoginManager, _ changes: LoginChanges) {
    self.manager = manager
    self.changes = changes
  }

  /// Asks the logind of this machine.
  package convenience init() { self.init(LoginManager(), LoginChanges()) }

  /// Has these programs count as screen locks from here on.
  func use(_ locks: ScreenLocks) { screenLocks.withLock { $0 = locks } }

  /// How a client may ask a person at this moment.
  func permission(of link: ClientLink) -> ForegroundPermission {
    let client = link.peer
    return ForegroundPermission.decide(
      ForegroundFacts(
        manager.situation(of: client.process),
        terminal: ProcessStatus(of: client.process)?.terminal ?? .none, isOfRoot: client.user == 0,
        isOfLogin: LoginUser.of(client.process) != nil,
        hasOwnWindow: hasOwnWindow(link)))
  }

  private func hasOwnWindow(_ link: ClientLink) -> Bool {
    let application = link.application
    if application == commandApplication { return true }
    let protects = link.program?.nameProtects ?? false
    return screenLocks.withLock { $0.include(application, protects: protects) }
  }

  /// The agent whose window is seen by whoever is in front of a client: that of the client's own
  /// session, or else one of a session on the screen; of several the one that is named first.
  func choose(
    among agents: [ServingAgent], for client: PeerCredentials
  ) -> ServingAgent? {
    let seen = agents.map { ($0, manager.situation(of: $0.link.peer.process)) }
      .filter { ForegroundPermission.decide(ForegroundFacts($0.1)).agent }
    guard seen.count > 1 else { return seen.first?.0 }
    let session = manager.situation(of: client.process).session
    return (seen.first { $0.1.session == session } ?? seen.first)?.0
  }

  /// Interrupts a request once its client may ask less than `granted`, until ``end(_:)``: whoever
  /// comes to the screen then is not asked for what another person began.
  func watch(
    _ client: ClientLink, granted: ForegroundPermission, _ inbox: RequestInbox
  ) -> LoginChanges.Watch {
    let check: @Sendable () -> Void = { [self, inbox] in
      let permission = permission(of: client)
      guard let objection = permission.objection, permission != granted else { return }
      inbox.interrupt(
        Failure(
          .systemCancel, "the prompt was taken away: \(objection.message)", hint: objection.hint))
    }
    let watch = changes.watch { _ in check() }
    // What changed before it was watched.
    check()
    return watch
  }

  /// Watches for a request no more.
  func end(_ watch: LoginChanges.Watch) { changes.end(watch) }
}
