/// Where the person sits that a process's session belongs to, as far as logind can tell.
package enum SessionPlace: Equatable, Sendable {
  /// At a seat of this machine: a screen, a keyboard, readers. If not active, another session is
  /// seen there.
  case seat(isActive: Bool)
  /// Elsewhere, for example over SSH.
  case remote
  /// In a session without a seat: a job of cron, a container's shell.
  case seatless
  /// In no session: a service, or a process that a person left behind.
  case none
  /// Unknown; the reason for people, without a full stop.
  case unknown(String)
}

package enum LidState: Sendable {
  /// Open, or no lid.
  case open
  /// Closed, without another screen.
  case closed
  /// Closed, with a screen or a dock connected.
  case closedButDocked
}

/// What a user sees on the screens of this machine at one moment, by logind's word.
package struct UserScreens: Equatable, Sendable {
  /// A session with a screen.
  package struct Session: Equatable, Sendable {
    /// Names it while it lasts.
    package let name: String
    /// Whether it is the one that is seen.
    package var isActive = false
    /// Whether its screen is locked, by the word of its screen lock (LockedHint).
    package var isLocked = false
    /// The desktop's name, if known.
    package var desktop = ""

    package init(name: String) { self.name = name }
  }

  package var sessions: [Session] = []
  package var isGoingToSleep = false

  package init() {}
}

/// What is known about where the person sits that a process would ask.
package struct SessionSituation: Equatable, Sendable {
  package let place: SessionPlace
  package let lid: LidState
  /// Names the session while it lasts; nil if the process is in none.
  package let session: String?

  package init(_ place: SessionPlace, lid: LidState = .open, session: String? = nil) {
    (self.place, self.lid, self.session) = (place, lid, session)
  }
}
