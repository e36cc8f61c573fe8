package import Protocol

/// What the person sees of prompts and progress: on a terminal an area that changes, else a plain
/// line for each thing that happens.
package final class PromptScreen {
  /// Something that was said about the last touch or passcode.
  private struct Remark {
    let text: String
    let role: Paint.Role
    /// Whether it is about what was typed: it is over when a touch is awaited again.
    let isAboutTyping: Bool
  }

  /// Whether a miss leaves further tries to speak of; one touch is all that `finger test` takes.
  package var countsTries = true
  private let display: Display
  private let place: Place
  private let surroundings: (any PromptSurroundings)?
  private var view: PromptMachine.View?
  /// What was said of the request.
  private var introduction: [String] = []
  private var enrollment: EnrollmentBar?
  /// What is drawn above everything else, and stays when the request is over.
  private var picture: [String] = []
  private var remark: Remark?
  /// Whether a terminal on which nothing can be replaced says that a touch is awaited.
  private var isTouchAsked = false

  /// Where what it shows is seen.
  package enum Place {
    /// On a terminal, by the person who answers.
    case terminal
    /// Beside what else a program says, by whoever reads that.
    case messages
    /// The same, and nobody sees a prompt: that a touch is awaited is said by a note.
    case unattended
  }

  /// - Parameters:
  ///   - display: where it is shown.
  ///   - place: what that is.
  ///   - surroundings: what else the program says; nil: nothing.
  package init(
    on display: Display, _ place: Place, beside surroundings: (any PromptSurroundings)? = nil
  ) {
    self.display = display
    self.place = place
    self.surroundings = surroundings
  }

  /// Whether it shows the prompts of a command that says more than those.
  var isOfCommand: Bool { surroundings != nil }

  private var isQuiet: Bool { surroundings?.isQuiet == true }

  /// A prompt, or what became of it.
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

  /// What was typed cannot be an answer, for this reason: the prompt asks again.
  package func ask(_ prompt: Prompt, againBecause text: Phrase) {
    view = prompt.awaitsTouch ? .touch(prompt) : .passcode(prompt)
    remark = Remark(text: text.english, role: .bad, isAboutTyping: true)
    draw()
  }

  /// What was typed before was wrong, which is said once.
  private func remarkOnTyping(_ prompt: Prompt) {
    guard prompt.refusedPasscodes > 0, !prompt.awaitsTouch else {
      if !prompt.awaitsTouch { remark = nil }
      return
    }
    remark = Remark(
      text: PromptTexts.refusal(of: prompt.secret).english, role: .bad, isAboutTyping: true)
  }

  /// What happened while a prompt is on view.
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

  /// Shows a picture in place of the one before; if nothing can be replaced, below it.
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

  /// Says once for each request who asks, and what for. That a touch is awaited if nobody sees a
  /// prompt is said with `--quiet`, too.
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

  /// Where nothing can be replaced only what has to be answered is shown.
  private func drawOnce() {
    switch view {
    case .passcode(let prompt):
      display.ask((remark.map { $0.text + " " } ?? "") + "\(Self.title(of: prompt)): ")
    case .touch(let prompt) where place == .terminal && !isTouchAsked:
      isTouchAsked = true
      display.line(PromptTexts.touch.english + "  " + keys(of: prompt))
    case .touch, .checking, .working, nil: break
    }
  }

  private func parts(of view: PromptMachine.View?, _ paint: Paint) -> [String] {
    var parts: [String] = []
    if let enrollment { parts.append(enrollment.drawn(paint)) }
    if let remark { parts.append(paint(remark.text, remark.role)) }
    switch view {
    case .touch(let prompt):
      // A bar and what to do about the next touch say enough.
      if enrollment == nil, remark?.role != .good { parts.append(PromptTexts.touch.english) }
      return parts + [paint(keys(of: prompt), .faint)]
    case .passcode(let prompt):
      return parts + [
        Self.title(of: prompt) + (prompt.awaitsTouch ? " (or touch the reader): " : ": ")
      ]
    case .checking: return [paint(PromptTexts.checking.english, .faint)]
    case .working: return [paint("Working…", .faint)]
    case nil: return parts
    }
  }

  /// The parts side by side, in as many lines as that takes: nothing that has to be known is cut off.
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

  private func keys(of prompt: Prompt) -> String {
    let cancel = "Esc: \(prompt.cancelTitle?.printable ?? "cancel")"
    switch prompt.fallback {
    case .hidden: return "[\(cancel)]"
    case .application:
      // What that is only the program knows that asks: the passcode will not do.
      return "[Enter: \(prompt.fallbackTitle?.printable ?? "another way"), \(cancel)]"
    case .passcode:
      let title = prompt.fallbackTitle.map { "Enter: \($0.printable), " } ?? ""
      return "[or type the passcode, \(title)\(cancel)]"
    }
  }
}

extension Paint.Role {
  /// The color of a tone.
  fileprivate init(_ tone: ProgressTexts.Tone) {
    switch tone {
    case .neutral: self = .faint
    case .good: self = .good
    case .doubtful: self = .doubtful
    case .bad: self = .bad
    }
  }
}

/// What a program says beside its prompts, as far as prompts have to know of it.
package protocol PromptSurroundings: AnyObject {
  /// Whether only what has to be answered is shown (`--quiet`).
  var isQuiet: Bool { get }
  /// A line for whoever reads what the program says.
  func note(_ text: String)
}
