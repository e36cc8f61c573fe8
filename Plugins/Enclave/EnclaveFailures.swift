import Protocol

extension Failure {
  static var passcodeNotSet: Failure {
    Failure(
      .passcodeNotSet, "no passcode is set on this device",
      hint: "set one with: authcore passcode set")
  }

  static var notEnrolled: Failure {
    Failure(
      .biometryNotEnrolled, "no finger is enrolled that this sensor could match",
      hint: "enroll one with: authcore finger enroll")
  }

  static var tooManyFingers: Failure {
    Failure(
      .tooManyFingers, "\(Keybag.mostFingers) fingers are enrolled",
      hint: "remove one first: authcore finger remove")
  }

  static var closedClass: Failure {
    Failure(
      .errSecInteractionNotAllowed,
      "items of its accessibility class cannot be reached while the device is locked",
      hint: "unlock the device: authcore unlock")
  }

  static var contextEnded: Failure {
    Failure(
      .invalidContext,
      """
      the device was locked, or its passcode or fingers were changed, since the evidence context was \
      opened
      """, hint: "open a new one")
  }

  static var damagedItem: Failure {
    Failure(
      .errSecDecode, "the item is damaged, or its key has been destroyed",
      hint: "remove the item and add it again")
  }

  static var fingersChanged: Failure {
    Failure(
      .errSecAuthFailed, "the item is bound to a set of fingers that has changed since",
      hint: "it cannot be opened any more: remove it and add it again")
  }

  static var wrongAppPassword: Failure {
    Failure(
      .errSecAuthFailed, "the application password is wrong",
      hint: "give the one that the item was added with: --app-password-file or -fd")
  }

  static var appPasswordNotGiven: Failure {
    Failure(
      .errSecParam, "an item with app-password needs an application password to be sealed with",
      hint: "give it in the request's evidence context: --app-password-file or -fd")
  }

  static var emptyAppPassword: Failure {
    Failure(
      .errSecParam, "an empty application password protects nothing",
      hint: "choose one of 1 to \(longestAppPassword) bytes")
  }

  /// Something was sealed beside a newer keybag.
  static var lostGeneration: Failure {
    Failure(
      .stateDamaged,
      """
      the item was stored later than the keybag in the state folder: an old copy of the keybag has \
      been put back
      """,
      hint: """
        put the newest keybag and attempts back from a backup of the state folder; until then the \
        item stays closed, and it is not changed
        """)
  }

  /// Removing the passcode would destroy items, while newer keys may come back.
  static var rolledBack: Failure {
    Failure(
      .stateDamaged,
      """
      an old copy of the enclave's files has been put back: the passcode is not removed, because \
      newer items would be lost
      """,
      hint: """
        put the newest files back from a backup of the state folder; or change the passcode, which \
        says that what is here shall count: authcore passcode change
        """)
  }
}
