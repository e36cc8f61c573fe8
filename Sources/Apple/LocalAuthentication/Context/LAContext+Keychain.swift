public import Security

extension LAContext: _AuthenticationContext {
  /// What a request of the keychain in this context goes by (`kSecUseAuthenticationContext`).
  public var _authentication: _Authentication {
    _Authentication(in: session.contextForKeychain, session.settings.prompting())
  }
}
