package import Protocol

/// Shows prompts and progress: on a terminal in an area that changes, else as a plain line for each
/// event.
package final class PromptScreen {
  /// A remark about the last touch or passcode.
  private struct Remark {
    let text: String
    let role: Paint.Role
    /// Whether it is about typing and disappears when a touch is awaited again.
    let isAboutTyping: Bool
  }

  /// Whether misses mention the remaining tries; `finger test` takes only one touch.
  package var countsTries = true
  /// Whether a person can type an answer, and not only see the prompt.
  var offersKeys = true
  private let display: Display
  private let place: Place
  private let surroundings: (any PromptSurroundings)?
  private var view: PromptMachine.View?
  /// The introduction of the request that was shown.
  private var introduction: [String] = []
  private var enrollment: EnrollmentBar?
  /// Drawn above everything else, and kept after the request.
  private var picture: [String] = []
  private var remark: Remark?
  /// Whether a terminal without replaceable lines has asked for a touch.
  private var isTouchAsked = false

  /// Where the output is seen.
  package enum Place {
    /// On a terminal by the person who answers.
    case terminal
    /// Among the program's other messages.
    case messages
    /// Among the program's other messages, where nobody sees a prompt: a note announces an awaited
    /// touch.
    case unattended
  }

  /// See ``Display/isStopped``.
  var isStopped: Bool { display.isStopped }

  /// - Parameters:
  ///   - display: the output.
  ///   - place: what kind of output that is.
  ///   - surroundings: the program's other output, or nil.
  package init(
    on display: Display, _ place: Place, beside surroundings: (any PromptSurroundings)? = nil
  ) {
    self.display = display
    self.place = place
    self.surroundings = surroundings
  }

  /// Whether the program is a command with other output.
  var isOfCommand: Bool { surroundings != nil }

  private var isQuiet: Bool { surroundings?.isQuiet == true }

  /// Shows a prompt or its state.
  package func show(_ view: PromptMachine.View) {
    switch view {
    case .touch(let prompt):
      introduce(prompt)
      if remark?.isAboutTyping == true { remark = nil }
    case .passcode(let prompt):
      introduce(prompt)
      remarkOnTyping(prompt)
    case .working where isQuiet: return
    case .checking, .working: break
    }
    self.view = view
    draw()
  }

  /// Asks again because the input cannot be an answer.
  package func ask(_ prompt: Prompt, againBecause text: Phrase) {
    view = prompt.awaitsTouch ? .touch(prompt) : .passcode(prompt)
    remark = Remark(text: text.english, role: .bad, isAboutTyping: true)
    draw()
  }

  /// Says once that the previous input was wrong.
  private func remarkOnTyping(_ prompt: Prompt) {
    guard prompt.refusedPasscodes > 0, !prompt.awaitsTouch else {
      if !prompt.awaitsTouch { remark = nil }
      return
    }
    remark = Remark(
      text: PromptTexts.refusal(of: prompt.secret).english, role: .bad, isAboutTyping: true)
  }

  /// Shows an event while a prompt is on view.
  package func tell(_ progress: Progress.Event) {
    if case .taken(let touch) = progress {
      enrollment = EnrollmentBar(touches: touch.touches, coverage: touch.coverage)
      picture = CoverageDrawing.lines(touch.picture, display.paint)
    }
    guard let text = ProgressTexts.text(progress, countsTries: countsTries)?.english else { return }
    remark = Remark(text: text, role: .init(ProgressTexts.tone(of: progress)), isAboutTyping: false)
    if display.isLive {
      draw()
    } else if !isQuiet {
      display.line(enrollment.map { $0.plain + ": " + text } ?? text)
    }
  }

  /// Shows a picture instead of the previous one, or below it if nothing can be replaced.
  package func show(picture lines: [String]) {
    remark = nil
    guard display.isLive else {
      for line in lines { display.line(line) }
      return
    }
    picture = lines
    draw()
  }

  /// The terminal has another size.
  package func redraw() {
    draw()
    display.redraw()
  }

  /// The request is over.
  package func end() {
    display.clear()
    for line in picture where display.isLive { display.line(line) }
    picture = []
    isTouchAsked = false
    view = nil
    introduction = []
    remark = nil
    enrollment = nil
  }

  /// Says once for each request who asks, and what for. A touch that no visible prompt asks for is
  /// announced even with `--quiet`.
  private func introduce(_ prompt: Prompt) {
    let lines = [PromptTexts.headline(of: prompt)] + PromptTexts.remarks(on: prompt)
    guard lines != introduction else { return }
    introduction = lines
    if place == .unattended, prompt.awaitsTouch {
      surroundings?.note(
        "authcore: waiting for a touch of the reader: " + lines.joined(separator: " "))
    } else if display.isLive || !isQuiet {
      display.line(display.paint(lines[0], .strong))
      for line in lines.dropFirst() { display.line(line) }
    }
  }

  // MARK: Drawing

  private func draw() {
    guard display.isLive else { return drawOnce() }
    let paint = display.paint
    display.draw(picture + Self.flow(parts(of: view, paint), within: display.size.columns - 1))
  }

  /// If nothing can be replaced, only questions are shown.
  private func drawOnce() {
    switch view {
    case .passcode(let prompt):
      display.ask((remark.map { $0.text + " " } ?? "") + "\(Self.title(of: prompt)): ")
    case .touch(let prompt) where place == .terminal && !isTouchAsked:
      isTouchAsked = true
      display.line(([PromptTexts.touch.english] + keys(of: prompt)).joined(separator: "  "))
    case .touch, .checking, .working, nil: break
    }
  }

  private func parts(of view: PromptMachine.View?, _ paint: Paint) -> [String] {
    var parts: [String] = []
    if let enrollment { parts.append(enrollment.drawn(paint)) }
    if let remark { parts.append(paint(remark.text, remark.role)) }
    switch view {
    case .touch(let prompt):
      // A bar and the advice for the next touch are enough.
      if enrollment == nil, remark?.role != .good { parts.append(PromptTexts.touch.english) }
      return parts + keys(of: prompt).map { paint($0, .faint) }
    case .passcode(let prompt):
      return parts + [
        Self.title(of: prompt) + (prompt.awaitsTouch ? " (or touch the reader): " : ": ")
      ]
    case .checking: return [paint(PromptTexts.checking.english, .faint)]
    case .working: return [paint("Working…", .faint)]
    case nil: return parts
    }
  }

  /// The parts side by side, in as many lines as needed, so that nothing is cut off.
  private static func flow(_ parts: [String], within columns: Int) -> [String] {
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, last.width + 2 + part.width <= columns {
        lines[lines.count - 1] = last + "  " + part
      } else {
        lines += part.wrapped(to: columns)
      }
    }
    return lines
  }

  private static func title(of prompt: Prompt) -> String {
    PromptTexts.title(of: prompt.secret).english
  }

  /// What a key does; empty if none is read.
  private func keys(of prompt: Prompt) -> [String] {
    guard offersKeys else { return [] }
    let cancel = "Esc: \(prompt.cancelTitle?.printable ?? "cancel")"
    switch prompt.fallback {
    case .hidden: return ["[\(cancel)]"]
    case .application:
      // Only the program knows what that is: the passcode does not count.
      return ["[Enter: \(prompt.fallbackTitle?.printable ?? "another way"), \(cancel)]"]
    case .passcode:
      let title = prompt.fallbackTitle.map { "Enter: \($0.printable), " } ?? ""
      return ["[or type the passcode, \(title)\(cancel)]"]
    }
  }
}

extension Paint.Role {
  fileprivate init(_ tone: ProgressTexts.Tone) {
    switch tone {
    case .neutral: self = .faint
    case .good: self = .good
    case .doubtful: self = .doubtful
    case .bad: self = .bad
    }
  }
}

/// A program's other output, as far as it concerns prompts.
package protocol PromptSurroundings: AnyObject {
  /// Whether only questions are shown (`--quiet`).
  var isQuiet: Bool { get }
  /// Writes a line among the program's messages.
  func note(_ text: String)
}
