import CoreClient
import Protocol
import WindowContents
import Windows

/// The enrolled fingers, to add, rename, remove and identify them.
@MainActor
final class FingersPage {
  let content = PreferencesPage()
  weak var window: SettingsWindow?
  private let list = PreferencesGroup(title: localized("Fingers"))
  private let identification = IdentificationGroup()
  private var rows: [String: PreferencesRow] = [:]
  private var shown: [PreferencesRow] = []
  private var fingers: [Finger] = []
  private var status: CoreStatus?
  private lazy var add = Button(localized("Add Finger")) { [weak self] in self?.addFinger() }

  init() {
    list.setSuffix(add)
    content.add(list)
    content.add(identification.content)
    identification.page = self
  }

  func show(_ snapshot: Snapshot) {
    status = snapshot.status
    fill(snapshot.fingers, snapshot.status)
    list.description = Self.remark(snapshot.status)
    add.isEnabled = snapshot.status.isPasscodeSet
    identification.show(snapshot)
  }

  /// Rows that are the same stay: replacing one would lose the focus, or a press that is under way.
  private func fill(_ fingers: [Finger], _ status: CoreStatus) {
    guard fingers.isEmpty || fingers != self.fingers else { return }
    self.fingers = fingers
    for row in shown { list.remove(row) }
    rows = [:]
    shown = fingers.map(row)
    for (finger, row) in zip(fingers, shown) { rows[finger.identifier] = row }
    if shown.isEmpty { shown = [empty(status)] }
    for row in shown { list.add(row) }
  }

  private func empty(_ status: CoreStatus) -> PreferencesRow {
    let row = PreferencesRow(
      title: localized("No finger is enrolled"),
      subtitle: status.isPasscodeSet
        ? localized("Add one, and touches of it open what you keep here.")
        : localized("Set a passcode first: fingers stand in for it."),
      icon: "auth-fingerprint-symbolic")
    guard !status.isPasscodeSet else { return row }
    let set = Button(localized("Set Passcode"), .suggested) { [weak self] in
      self?.setPasscode(hasReader: ReaderTexts.reader(status).isConnected)
    }
    row.add(set)
    return row
  }

  /// A first start goes on with a finger, if there is a reader.
  private func setPasscode(hasReader: Bool) {
    window?.setPasscode { [weak self] in if hasReader { self?.addFinger() } }
  }

  private static func remark(_ status: CoreStatus) -> String {
    if status.isLockedOut {
      return localized(
        "Fingers do not count until the passcode is given: unlock, on the page “Passcode”.")
    }
    if status.fingers > 0, !status.isFirstUnlocked {
      return localized("Fingers count from the first unlock with the passcode on.")
    }
    return ""
  }

  private func row(_ finger: Finger) -> PreferencesRow {
    let name = finger.name.withoutSteering
    let row = PreferencesRow(
      title: name, subtitle: FingerTexts.subtitle(finger), icon: "auth-fingerprint-symbolic")
    row.add(
      Button(icon: "document-edit-symbolic", name: localized("Rename %s", name)) { [weak self] in
        self?.rename(finger)
      })
    row.add(
      Button(icon: "user-trash-symbolic", name: localized("Remove %s", name)) { [weak self] in
        self?.remove(finger)
      })
    return row
  }

  /// Lights up the row of a finger for a moment. `name` is the core's name or identifier.
  func light(up name: String) {
    guard let finger = fingers.first(where: { $0.name == name || $0.identifier == name }),
      let row = rows[finger.identifier]
    else { return }
    row.isLit = true
    MainLoop.after(.seconds(2)) { row.isLit = false }
  }

  /// Looks up what a change of the fingers closes for good, and passes on the sentence.
  private func sayingWhatCloses(_ body: @escaping @MainActor @Sendable (String) -> Void) {
    window?.request { (core) throws(Failure) -> FoundGuarded in
      try core.ask(FindGuarded())
    } done: {
      body(FingerTexts.closing($0.closedByChange))
    }
  }

  private func addFinger() {
    sayingWhatCloses { [weak self] closing in
      guard let self, let window = self.window else { return }
      let touches = localized(
        "Then touch the reader again and again, each time a little differently, until enough of the finger is known."
      )
      NameQuestion(
        over: window.window, heading: localized("Add a Finger"),
        body: closing.isEmpty ? touches : closing + "\n\n" + touches,
        accept: localized("Continue"), name: FingerTexts.unusedName(self.fingers)
      ) { [weak self] name in self?.askConsent { self?.enroll(name, $0) } }.present()
    }
  }

  /// Explains a reader that matches on the chip, and asks what its fingers may do.
  private func askConsent(then enroll: @escaping @MainActor (ChipConsent) -> Void) {
    guard let window, let reader = status?.sensor, reader.compares != .image else {
      return enroll(ChipConsent())
    }
    let warning = localized(
      "The computer has to believe what it says. A person who had the reader for a minute can build a device that says the same."
    )
    let plug = localized("It can be unplugged, so that such a device can take its place.")
    let question = localized("May this finger open items and keys that ask for a finger?")
    Alert(
      over: window.window, heading: localized("This reader compares prints itself"),
      body: warning + (reader.isBuiltIn ? "" : " " + plug) + "\n\n" + question,
      [
        .init(localized("Cancel")) {},
        .init(localized("Open Items, Too")) {
          enroll(ChipConsent(opensItems: true, acceptsPlug: true))
        },
        // Enter presses the last.
        .init(localized("Only Unlock")) {
          enroll(ChipConsent(opensItems: false, acceptsPlug: true))
        },
      ]
    ).present()
  }

  private func enroll(_ name: String, _ consent: ChipConsent) {
    window?.request(
      title: localized("Add a Finger"), reason: localized("Add the finger %s", name),
      { (core) throws(Failure) -> EnrolledFinger in
        try core.request(
          EnrollFinger(
            name: name, touches: 0, isRelaxed: false, consent: consent, options: core.prompting))
      }
    ) { [weak self] enrolled in
      self?.window?.window.toast(localized("%s is added.", enrolled.finger.name.withoutSteering))
    }
  }

  private func rename(_ finger: Finger) {
    guard let window else { return }
    NameQuestion(
      over: window.window, heading: localized("Rename a Finger"), body: "",
      accept: localized("Rename"), name: finger.name
    ) { [weak self] name in
      self?.window?.request(
        title: localized("Rename a Finger"),
        reason: localized("Rename the finger %s", finger.name.withoutSteering),
        { (core) throws(Failure) -> Done in
          try core.ask(RenameFinger(finger: finger.identifier, name: name))
        }
      ) { _ in }
    }.present()
  }

  private func remove(_ finger: Finger) {
    sayingWhatCloses { [weak self] closing in self?.remove(finger, closing) }
  }

  private func remove(_ finger: Finger, _ closing: String) {
    let name = finger.name.withoutSteering
    window?.confirm(
      localized("Remove %s?", name),
      closing.isEmpty ? localized("Its touches open nothing any more.") : closing,
      localized("Remove")
    ) { [weak self] in
      self?.window?.request(
        title: localized("Remove a Finger"), reason: localized("Remove the finger %s", name),
        { (core) throws(Failure) -> Done in
          try core.ask(RemoveFinger(finger: finger.identifier))
        }
      ) { [weak self] _ in
        self?.window?.window.toast(localized("%s is removed.", name))
      }
    }
  }
}

private enum FingerTexts {
  static func subtitle(_ finger: Finger) -> String {
    var parts = [localized("Enrolled %s", Days.text(finger.enrolledAt))]
    if finger.isSynthetic { parts.append(localized("synthetic prints, for trying out")) }
    if finger.isRelaxed { parts.append(localized("matched at the relaxed rate")) }
    if finger.wantsEnrollment {
      parts.append(localized("better recognized once it is removed and added again"))
    }
    return parts.joined(separator: " · ")
  }

  /// Names what a change of the fingers closes for good; empty for nothing.
  static func closing(_ entries: [GuardedEntry]) -> String {
    guard !entries.isEmpty else { return "" }
    let longestList = 8
    let named = entries.names.prefix(longestList).map(\.withoutSteering)
    let others = entries.count - named.count
    return
      ([
        localized(
          "This closes %s item or key for good, which only the fingers of today open:",
          "This closes %s items or keys for good, which only the fingers of today open:",
          count: entries.count)
      ] + named
      + (others > 0 ? [localized("and %s more", "and %s more", count: others)] : []))
      .joined(separator: "\n")
  }

  /// A name that no finger has.
  static func unusedName(_ fingers: [Finger]) -> String {
    let names = Set(fingers.map(\.name))
    let number = (1...).first { !names.contains(localized("Finger %s", "\($0)")) } ?? 1
    return localized("Finger %s", "\(number)")
  }
}
