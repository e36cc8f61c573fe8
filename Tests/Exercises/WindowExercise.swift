import LinuxSystem
import Protocol
import WindowContents
import Windows

/// A window with everything in Sources/Desktop/Windows, for its tests: prints what happens.
enum WindowExercise {
  @MainActor private static var shown: ExerciseWindow?

  @MainActor static func run() {
    Catalog.open()
    guard Application.hasDisplay else { return print("no display") }
    let application = Application("org.authcore.Exercise", isAlone: false) { application in
      shown = ExerciseWindow(application)
    }
    _ = application.run()
    print("ended")
  }
}

@MainActor
final class ExerciseWindow {
  private let window: Window
  private let entry = PasscodeEntry(name: "Passcode")
  private let said = Label("Nothing yet", .dim)
  private let finger = FingerprintView(name: "Fingerprint", side: 160)
  private let body = Stack(.down, spacing: 12)
  private let clipboard: WindowClipboard
  private let another: WindowClipboard

  init(_ application: Application) {
    window = Window(of: application, title: "Exercise", width: 420, height: 520)
    (clipboard, another) = (WindowClipboard(of: body), WindowClipboard(of: body))
    body.setMargin(24)
    for widget in [finger, said, entry] as [Widget] { body.append(widget) }
    let states: [(String, FingerprintView.State)] = [
      ("Await", .awaitingTouch), ("Match", .matched), ("Miss", .missed),
      ("Cover", .covered(0.6, Self.picture)),
    ]
    for (title, state) in states {
      body.append(Button(title) { [weak self] in self?.show(title, state) })
    }
    body.append(Button("Work", .suggested) { [weak self] in self?.work() })
    body.append(Button("Ask", .destructive) { [weak self] in self?.ask() })
    body.append(Button("Copy") { [weak self] in self?.copy() })
    body.append(Button("Copy Twice") { [weak self] in self?.copyTwice() })
    let all = Stack(.down)
    all.append(HeaderBar())
    all.append(body)
    window.setContent(all)
    entry.submit = { [weak self] in self?.submit() }
    entry.changed = { [weak self] in self?.say("typed \(self?.entry.count ?? -1)") }
    window.escape = { [weak self] in self?.window.close() }
    window.present()
    entry.focus()
  }

  private static let picture = CoveragePicture(
    columns: 6,
    times: [0, 1, 1, 1, 1, 0] + [1, 2, 3, 3, 2, 1] + [1, 2, 3, 3, 1, 0] + [0, 1, 2, 2, 0, 0],
    clarity: Array(repeating: 9, count: 24))

  private func say(_ text: String) { said.text = text }

  private func show(_ title: String, _ state: FingerprintView.State) {
    finger.show(state)
    say("shown \(title)")
  }

  /// The typed text is not secret here.
  private func submit() {
    let secret = entry.take()
    let bytes = (0..<secret.count).map { secret.bytes[$0] }
    say("submitted \(String(decoding: bytes, as: UTF8.self))")
  }

  private func work() {
    say("working")
    SystemThread.start(name: "work") {
      let sum = (1...1000).reduce(0, +)
      MainLoop.perform { [weak self] in self?.say(localized("The sum is %s.", "\(sum)")) }
    }
  }

  /// Reads what lies there, and once more when it is taken back.
  private func copy() {
    clipboard.put(Self.secret("s3cret"), for: .milliseconds(200)) { [weak self] wasThere in
      self?.clipboard.read { [weak self] left in
        self?.say(wasThere && left.count == 0 ? "taken back" : "still there")
      }
    }
    clipboard.read { [weak self] text in
      self?.say(text.isEqual(to: Self.secret("s3cret").bytes) ? "copied" : "something else")
    }
  }

  /// What is copied meanwhile stays.
  private func copyTwice() {
    clipboard.put(Self.secret("s3cret"), for: .milliseconds(200)) { [weak self] wasThere in
      self?.clipboard.read { [weak self] left in
        let isOther = left.isEqual(to: Self.secret("other").bytes)
        self?.say(!wasThere && isOther ? "the other stays" : "the other is gone")
      }
    }
    another.put(Self.secret("other"), for: .seconds(3600)) { _ in }
  }

  private static func secret(_ text: String) -> SecretBytes {
    SecretBytes(copying: Array(text.utf8).span)
  }

  private func ask() {
    Alert(
      over: window, heading: "Really?", body: "A <question> & more",
      [
        .init("No") { [weak self] in self?.say("answered No") },
        .init("Yes", .destructive) { [weak self] in self?.say("answered Yes") },
      ]
    ).present()
  }
}
