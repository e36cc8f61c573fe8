import CoreClient
import Security
import Synchronization

/// Where what the owner has proved for a right lies. Any thread.
///
/// What is kept with a right is used in it, and prompts for nothing: an authorization does that.
final class RightEvidence: NSObject, _AuthenticationContext, Sendable {
  /// The way to the core.
  let client: ApplicationClient
  private let current: Mutex<AuthenticationSession>

  init(_ client: ApplicationClient = .current) {
    self.client = client
    current = Mutex(AuthenticationSession(client))
  }

  /// What holds it at this moment.
  var session: AuthenticationSession { current.withLock { $0 } }

  /// Forgets what was proved; what is proved from here on counts.
  func forget() {
    let former = current.withLock { session in
      defer { session = AuthenticationSession(client) }
      return session
    }
    former.invalidate()
  }

  var _authentication: _Authentication {
    _Authentication(in: session.contextForKeychain, .forbidden)
  }

  deinit { session.invalidate() }
}
