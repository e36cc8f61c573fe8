// What applications ask of the keychain and what it answers, the same on every way: from a client
// to the core as an ``EngineRequest``, and unread from there to the keychain as an
// ``ApplicationRequest``.

/// The largest secret of an item, in bytes.
package let largestItemSecret = 48 << 10
/// The largest attributes of an item, as the keychain has them sealed, in bytes.
package let largestAttributes = 16 << 10

extension GotItem {
  /// Gives the message up for the secret.
  package consuming func takeSecret() -> SecretBytes { secret }
}

// What applications ask of the keychain about certificates and identities, and what it answers. A
// certificate is public: it is no secret of an item's, and may be longer than one.

/// The largest certificate, in bytes of DER.
package let largestCertificate = 1 << 20

// What is asked about the device, the same from client to core and from core to enclave.

/// The longest passcode, in bytes. Core and enclave take them as they are: it is clients that
/// normalize what a person types, in the same way when a passcode is set and when it is given.
package let longestPasscode = 1024

/// After how many different wrong passcodes in a row a device may be told to destroy what it holds.
/// Apple's is 10 (APPLE.md 1.4); as many are remembered, so that one given again does not count.
package let eraseAfterRange: ClosedRange<UInt32> = 10...50

extension LockRule {
  /// What holds where the owner has set nothing.
  package static let standard = LockRule.minutes(15)
  /// How many minutes may be set. After the longest time the device locks under any rule.
  package static let minutesRange: ClosedRange<UInt32> = 1...480
  /// The longest time, in seconds.
  package static var longestSeconds: UInt32 { minutesRange.upperBound * 60 }

  /// When the device locks.
  /// - Parameter isKeptOpen: whether a screen of the owner's is in sight that will lock.
  /// - Returns: seconds without proof of the owner.
  package func seconds(isKeptOpen: Bool) -> UInt32 {
    switch self {
    case .minutes(let minutes): minutes * 60
    case .screen where isKeptOpen: Self.longestSeconds
    case .screen: Self.standard.seconds(isKeptOpen: false)
    }
  }
}

// What applications ask of the keychain about P-256 keys that never leave the enclave, and what it
// answers. There is no message that brings a private key in or out.

extension KeyUsed {
  /// Gives the message up for what came of it.
  package consuming func takeOutput() -> SecretBytes { output }
}

// Many items in one message, as a way of their own: each way to the keychain and back, to the
// enclave and back, and to the disk costs more than an item's own share of it.

extension AddItems {
  /// Most items of one message.
  package static let mostItems = 1024

  borrowing func check() throws(DecodeError) {
    guard items.reduce(0, { $0 + Int($1.secretCount) }) == secrets.count else {
      throw .invalidValue(field: "the secrets of several items")
    }
  }
}

extension ItemsAdded.Result {
  /// Whether it is stored by this message.
  package var isAdded: Bool { if case .added = self { true } else { false } }
}

extension Finger {
  /// The most characters of a name.
  package static let mostNameCharacters = 64

  /// The most bytes of a name, in UTF-8.
  package static let longestName = 256
}
