// Evidence contexts, in which the enclave keeps what has been proved, and their names.

/// Stands for the number of a context if nothing has been proved.
package let noContext: UInt64 = 0

/// The greatest age of an unlock by touch that counts once more, in seconds. Apple's limit
/// (`LATouchIDAuthenticationMaximumAllowableReuseDuration`).
package let longestReuse: UInt32 = 300

/// The longest name of an application, in bytes.
package let longestApplication = 512

/// The name of the command that belongs to the running core, wherever both are installed.
package let commandApplication = "authcore"

extension Requester {
  /// What only the owner's command may do, because it concerns the items of all applications.
  package enum OwnersDeed {
    case backups
    case keychainFile
    case settings
  }

  /// - Throws: `errSecMissingEntitlement` if this is not the owner's command.
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
  package consuming func takePassword() -> SecretBytes { password }
}

// The limits of what applications ask of the keychain and the enclave. A request is the same on its
// whole way: an ``EngineRequest`` from client to core, and unread in an ``ApplicationRequest`` from
// there.

/// The largest secret of an item, in bytes.
package let largestItemSecret = 48 << 10
/// The largest sealed attributes of an item, in bytes.
package let largestAttributes = 16 << 10

extension GotItem {
  package consuming func takeSecret() -> SecretBytes { secret }
}

/// The largest certificate, in bytes of DER. It is public and may be longer than a secret.
package let largestCertificate = 1 << 20

/// The longest passcode, in bytes. Core and enclave take passcodes as they are; clients normalize
/// them, in the same way when a passcode is set and when it is given.
package let longestPasscode = 1024

/// How many different wrong passcodes in a row may make a device destroy its contents, if the owner
/// wants that. Apple's limit is 10 (APPLE.md 1.4). As many are remembered, so that a repeated one
/// does not count.
package let eraseAfterRange: ClosedRange<UInt32> = 10...50

extension LockRule {
  /// The rule if the owner has set none.
  package static let standard = LockRule.minutes(15)
  /// The minutes that may be set. After the longest time the device locks under any rule.
  package static let minutesRange: ClosedRange<UInt32> = 1...480
  /// The longest time, in seconds.
  package static var longestSeconds: UInt32 { minutesRange.upperBound * 60 }

  /// - Parameter isKeptOpen: whether a screen of the owner that will lock is in sight.
  /// - Returns: how many seconds without a proof of the owner lock the device.
  package func seconds(isKeptOpen: Bool) -> UInt32 {
    switch self {
    case .minutes(let minutes): minutes * 60
    case .screen where isKeptOpen: Self.longestSeconds
    case .screen: Self.standard.seconds(isKeptOpen: false)
    }
  }
}

extension KeyUsed {
  package consuming func takeOutput() -> SecretBytes { output }
}

// Many items in one message: each way to the keychain, the enclave and the disk costs more than the
// work for one item.

extension AddItems {
  package static let mostItems = 1024

  borrowing func check() throws(DecodeError) {
    guard items.reduce(0, { $0 + Int($1.secretCount) }) == secrets.count else {
      throw .invalidValue(field: "the secrets of several items")
    }
  }
}

extension ItemsAdded.Result {
  package var isAdded: Bool { if case .added = self { true } else { false } }
}

extension Finger {
  package static let mostNameCharacters = 64

  package static let longestName = 256
}

// Backups (K7, A9; docs/backup-format.md). The client writes and reads the file; the enclave seals
// and opens its records. All of it happens in the one evidence context that the requests name, and
// only the owner's command may ask (`errSecMissingEntitlement`).

/// Bytes of the key of a backup's records, and of the key of its header's checksum.
package let backupKeySize = 32
/// The most items in one message of a restore.
package let mostRestoredAtOnce = 128

extension PortableKind {
  /// The form in which an item leaves.
  package init(of itemClass: ItemClass, isGuarded: Bool) {
    self = itemClass == .certificate ? .certificate : isGuarded ? .guarded : .secret
  }

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

  package consuming func takeKey() -> SecretBytes { key }
}

// The state of the keychain's file, for the owner's command alone.

extension KeychainFindings {
  package static let mostProblems = 20

  static let mostDamaged = 100

  /// Whether the file should be written anew.
  package var needsRepair: Bool { !problems.isEmpty || lost > 0 || mayHaveLostMore }

  package var isDamaged: Bool { needsRepair || damagedCount > 0 }

  /// Notes an entry that is damaged in part.
  package mutating func note(_ entry: DamagedEntry) {
    damagedCount += 1
    if damaged.count < Self.mostDamaged { damaged.append(entry) }
  }
}
