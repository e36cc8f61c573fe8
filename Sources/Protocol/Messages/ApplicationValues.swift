// Evidence contexts: where the enclave keeps what has been proved, and how everybody names them.

/// In place of the number of a context: nothing has been proved.
package let noContext: UInt64 = 0

/// How old an unlock by touch may be that counts once more, in seconds: as long as Apple allows
/// (`LATouchIDAuthenticationMaximumAllowableReuseDuration`).
package let longestReuse: UInt32 = 300

/// The longest name of an application, in bytes.
package let longestApplication = 512

/// The application that the command is which belongs to the running core, wherever both lie.
package let commandApplication = "authcore"

extension Requester {
  /// What the owner's command alone may do, since it is about the items of all applications.
  package enum OwnersDeed {
    /// Have items leave and come back.
    case backups
    /// Look at the keychain's file, and mend it.
    case keychainFile
    /// Change what the owner has set.
    case settings
  }

  /// - Throws: `errSecMissingEntitlement` where it is not the owner's command.
  package func requireOwnersCommand(for deed: OwnersDeed) throws(Failure) {
    guard application != commandApplication else { return }
    let (words, command) =
      switch deed {
      case .backups: ("back items up and restore them", "authcore backup")
      case .keychainFile:
        ("ask about the keychain's file", "authcore keychain check, authcore keychain repair")
      case .settings: ("change the settings", "authcore settings")
      }
    throw Failure(
      .errSecMissingEntitlement, "only the owner's command may \(words)", hint: "run: \(command)")
  }
}

extension ContextName {
  package init(_ number: UInt64, of requester: Requester) {
    self.init(requester: requester, number: number)
  }
}

/// The longest application password, in bytes.
package let longestAppPassword = 1024

extension GiveAppPassword {
  /// Gives the message up for the password.
  package consuming func takePassword() -> SecretBytes { password }
}

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

// How items leave in a backup and come back (K7, A9; docs/backup-format.md). The file is the
// client's to write and to read; what is in it the enclave seals and opens. All of it happens in one
// evidence context, which the requests name, and only the owner's command may ask
// (`errSecMissingEntitlement`).

/// Bytes of the key of a backup's records, and of the checksum of its header.
package let backupKeySize = 32
/// The most items in one message of a restore.
package let mostRestoredAtOnce = 128

extension PortableKind {
  /// What an item of a class leaves with, guarded or not.
  package init(of itemClass: ItemClass, isGuarded: Bool) {
    self = itemClass == .certificate ? .certificate : isGuarded ? .guarded : .secret
  }

  /// The most bytes of it.
  package var limit: Int {
    switch self {
    case .secret, .guarded: largestItemSecret
    case .certificate: largestCertificate
    }
  }
}

extension GiveBackupKey {
  borrowing func check() throws(DecodeError) {
    guard header.count == backupKeySize, key.count == backupKeySize else {
      throw .invalidValue(field: "backup key")
    }
  }

  /// Gives the message up for the key.
  package consuming func takeKey() -> SecretBytes { key }
}

// What the command of the device's owner asks of the keychain about its file. The keychain takes it
// from no other application.

extension KeychainFindings {
  package static let mostProblems = 20

  package static let mostDamaged = 100

  /// Whether a new file would be better than this one.
  package var needsRepair: Bool { !problems.isEmpty || lost > 0 || mayHaveLostMore }

  /// Whether anything is wrong.
  package var isDamaged: Bool { needsRepair || damagedCount > 0 }

  /// Notes an entry of which a part is damaged.
  package mutating func note(_ entry: DamagedEntry) {
    damagedCount += 1
    if damaged.count < Self.mostDamaged { damaged.append(entry) }
  }
}
