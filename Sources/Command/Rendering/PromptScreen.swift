import ClientProtocol

/// What the person sees of prompts and progress: on a terminal one line that changes, else a plain line for each thing that happens.
final class PromptScreen {
  private let output: Output
  private var view: PromptMachine.View?
  private var reasonShown: String?
  private var enrolment: EnrolmentBar?
  private var remark: String?

  init(_ output: Output) { self.output = output }

  /// A prompt, or what became of it.
  func show(_ view: PromptMachine.View) {
    self.view = view
    if case .touch(let prompt) = view { showReason(prompt.reason) }
    if case .passcode(let prompt) = view {
      showReason(prompt.reason)
      if prompt.refusedPasscodes > 0 { remark = "That is not the passcode." }
    }
    draw()
  }

  /// What happened while a prompt is on view.
  func tell(_ progress: Progress.Event) {
    if case .taken(let touches, let coverage, _) = progress {
      enrolment = EnrolmentBar(touches: touches, coverage: coverage)
    }
    guard let text = ProgressText.text(progress) else { return draw() }
    remark = text
    if output.isLive {
      draw()
    } else if !output.isQuiet {
      output.note(enrolment.map { $0.plain + ": " + text } ?? text)
    }
  }

  /// The request is over.
  func end() {
    output.clearLive()
    view = nil
    reasonShown = nil
    remark = nil
    enrolment = nil
  }

  private func showReason(_ reason: String) {
    guard !reason.isEmpty, reasonShown != reason else { return }
    reasonShown = reason
    if output.isLive || !output.isQuiet {
      output.note(output.errorPaint(reason.printable, .strong))
    }
  }

  private func draw() {
    guard let view else { return }
    let paint = output.errorPaint
    var parts: [String] = []
    switch view {
    case .touch(let prompt):
      if let enrolment { parts.append(enrolment.drawn(paint)) }
      if let remark { parts.append(paint(remark, .doubtful)) }
      parts.append(enrolment == nil || remark == nil ? "Touch the sensor." : "")
      parts.append(paint(keys(of: prompt), .faint))
    case .passcode(let prompt):
      if let remark { parts.append(paint(remark, .doubtful)) }
      let also = prompt.awaitsTouch ? "Passcode (or touch the sensor): " : "Passcode: "
      output.live((parts + [also]).joined(separator: "  "))
      return
    case .checking:
      parts.append(paint("Checking …", .faint))
    case .sensor:
      parts.append(remark.map { paint($0, .doubtful) } ?? "Touch the sensor.")
      parts.append(paint("[Ctrl-C: end]", .faint))
    }
    output.live(parts.filter { !$0.isEmpty }.joined(separator: "  "))
  }

  private func keys(of prompt: Prompt) -> String {
    let cancel = "Esc: \(prompt.cancelTitle?.printable ?? "cancel")"
    switch prompt.fallback {
    case .hidden: return "[\(cancel)]"
    case .application:
      return "[Enter: \(prompt.fallbackTitle?.printable ?? "enter password"), \(cancel)]"
    case .passcode: return "[or type the passcode, \(cancel)]"
    }
  }
}
