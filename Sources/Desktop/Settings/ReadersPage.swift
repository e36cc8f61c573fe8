import Protocol
import WindowContents
import Windows

/// The reader, or why there is none, and how this machine is protected.
@MainActor
final class ReadersPage {
  let content = PreferencesPage()
  private let reader = PreferencesGroup(title: localized("Reader"))
  private let safety = PreferencesGroup(title: localized("Protection"))
  private var rows: [(PreferencesGroup, PreferencesRow)] = []

  init() {
    content.add(reader)
    content.add(safety)
  }

  func show(_ snapshot: Snapshot) {
    for (group, row) in rows { group.remove(row) }
    rows = []
    let status = snapshot.status
    let found = ReaderTexts.reader(status)
    add(
      to: reader, found.title, found.subtitle,
      found.isConnected ? "auth-fingerprint-symbolic" : "dialog-warning-symbolic")
    for (title, subtitle) in ReaderTexts.protection(status) {
      add(to: safety, title, subtitle, nil)
    }
  }

  private func add(
    to group: PreferencesGroup, _ title: String, _ subtitle: String, _ icon: String?
  ) {
    let row = PreferencesRow(title: title, subtitle: subtitle, icon: icon)
    group.add(row)
    rows.append((group, row))
  }
}

enum ReaderTexts {
  struct Reader {
    let title: String
    let subtitle: String
    let isConnected: Bool
  }

  static func reader(_ status: CoreStatus) -> Reader {
    guard let name = status.driverName, let sensor = status.sensor, status.absence == nil else {
      return Reader(
        title: localized("No reader is connected"), subtitle: absence(status), isConnected: false)
    }
    let kind =
      sensor.kind == "swipe" ? localized("for swiping over") : localized("for pressing onto")
    let device = status.device.map { [$0.withoutSteering] } ?? []
    return Reader(
      title: localized("Connected"),
      subtitle: ([localized("Driver %s", name.withoutSteering), kind] + device)
        .joined(separator: " · "), isConnected: true)
  }

  private static func absence(_ status: CoreStatus) -> String {
    switch status.absence {
    case .disconnected:
      localized("The one that your fingers were enrolled with is not plugged in.")
    case .unpaired:
      localized(
        "One is plugged in that no driver handles, or the one that was chosen is not there. “authcore doctor” in a terminal says more."
      )
    case .noReader, nil:
      localized("Plug one in. “authcore doctor” in a terminal says what it sees.")
    }
  }

  /// Titles and subtitles.
  static func protection(_ status: CoreStatus) -> [(String, String)] {
    let isInTPM = status.rootKey == "tpm"
    let facts: [(isTrue: Bool, title: String, subtitle: String)] = [
      (
        isInTPM, localized("The root key is in the TPM"),
        localized("A copy of the files opens on no other machine.")
      ),
      (
        !isInTPM, localized("The root key is in a file"),
        localized("Whoever copies the files can try passcodes elsewhere.")
      ),
      (
        status.isRollbackDetected, localized("An old copy of the files was put back"),
        localized("No finger counts until the passcode is given or changed.")
      ),
      (
        !status.isMemoryLocked, localized("Secrets may be swapped out"),
        localized(
          "The limit for locked memory is too low. “authcore doctor” in a terminal says what to do."
        )
      ),
      (
        status.sandboxes.contains { $0.isOff || !$0.lacking.isEmpty },
        localized("A sandbox is not complete"),
        localized("“authcore doctor” in a terminal says what is missing.")
      ),
    ]
    return facts.filter(\.isTrue).map { ($0.title, $0.subtitle) }
  }
}
