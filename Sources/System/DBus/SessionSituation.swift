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

/// What a user sees on the screens of this machine, as logind tells it at one moment.
package struct UserScreens: Equatable, Sendable {
  /// A session with a screen.
  package struct Session: Equatable, Sendable {
    /// Names it, as long as it lasts.
    package let name: String
    /// Whether it is the one that is seen there.
    package var isActive = false
    /// Whether its screen is locked, by the word of what locks it (LockedHint).
    package var isLocked = false
    /// What draws it, as the login manager calls that; empty where nobody said.
    package var desktop = ""

    /// One that nobody sees.
    package init(name: String) { self.name = name }
  }

  package var sessions: [Session] = []
  /// Whether the machine is about to be suspended.
  package var isGoingToSleep = false

  /// None.
  package init() {}
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
