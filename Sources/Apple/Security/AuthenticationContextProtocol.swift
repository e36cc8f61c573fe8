package import CoreClient

/// What `kSecUseAuthenticationContext` takes: `LAContext`. An application implements it nowhere.
public protocol _AuthenticationContext: AnyObject {
  /// What a request of the keychain in this context goes by, as it is at the moment of the request.
  /// Any thread.
  var _authentication: _Authentication { get }
}

/// What a context lends to a request: the evidence in the enclave, and what the owner is told.
public struct _Authentication: Sendable {
  /// Where the evidence is, and stays.
  package let context: ApplicationContext
  /// What the owner is told where the request asks; `isAllowed` is false where the context allows no
  /// interaction (`interactionNotAllowed`).
  package let prompting: Prompting

  /// For a request in this context.
  package init(in context: ApplicationContext, _ prompting: Prompting) {
    (self.context, self.prompting) = (context, prompting)
  }
}
