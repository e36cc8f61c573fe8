package import Protocol

extension ItemAttributes {
  /// What begins the service of an item that makes the one-time passwords of a login, as imports
  /// file it beside the login.
  package static let oneTimeService = "otpauth:"

  /// Whether it says that it makes one-time passwords.
  package var makesOneTimePasswords: Bool { service.hasPrefix(Self.oneTimeService) }

  /// What it is for: of one that makes one-time passwords, what they are for.
  package var servedName: String {
    makesOneTimePasswords ? String(service.dropFirst(Self.oneTimeService.count)) : service
  }
}
