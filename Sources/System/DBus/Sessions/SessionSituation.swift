/// Where a person sits whose session a process belongs to, as far as logind can tell.
package enum SessionPlace: Equatable, Sendable {
  /// At a seat of this machine: a screen, a keyboard, readers. Not active: another session is the
  /// one that is seen there.
  case seat(isActive: Bool)
  /// Elsewhere: who is logged in over SSH.
  case remote
  /// In a session that has no seat: a job of cron, a container's shell.
  case seatless
  /// In no session: a service of the machine, or what a person left behind.
  case none
  /// Nobody knows; for people, without a full stop.
  case unknown(String)
}

/// The lid of a laptop.
package enum LidState: Sendable {
  /// Open, or there is none.
  case open
  /// Closed, with nothing else to look at.
  case closed
  /// Closed, with a screen or a dock connected.
  case closedButDocked
}

/// What is known of where the person sits whom a process would ask.
package struct SessionSituation: Equatable, Sendable {
  package let place: SessionPlace
  package let lid: LidState
  /// Names the session, as long as it lasts; nil where the process is in none.
  package let session: String?

  /// Describes a situation.
  package init(_ place: SessionPlace, lid: LidState = .open, session: String? = nil) {
    (self.place, self.lid, self.session) = (place, lid, session)
  }
}
