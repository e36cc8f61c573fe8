package import CoreConnections
import Glibc
package import Protocol

/// The agent of an application's request: shows its prompts on the terminal that controls the
/// process, answers them with what is typed there, and can be cancelled by another thread.
///
/// It changes nothing of its process but the mode of the terminal, from the first prompt to the end
/// of the request; a process that a signal ends meanwhile leaves that to its shell. The thread of the
/// request; one request, which may be sent again (``SuspendableAgent``).
package final class TerminalAgent: SuspendableAgent {
  /// How the person can take part: what the `PromptOptions` of the request are to say.
  package let situation: TerminalSituation
  private let terminal: Terminal?
  private let cancellation: CancellationSignal?
  /// Of the cancellation; it stays readable.
  private let cancelled: Int32?
  private let screen: PromptScreen?
  private let dialog: PromptDialog
  private var isCancelled = false
  /// What ended the request.
  private var intrusion: PromptDialog.Intrusion?

  /// For a process with this controlling terminal.
  /// - Parameters:
  ///   - application: how the person knows the program that asks; whatever it is, it is shown
  ///     harmlessly.
  ///   - terminal: ``Terminal/controlling()``; nil where there is none, or it is not to be asked.
  ///   - cancellation: ends the request.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
  package convenience init(
    application: String, on terminal: Terminal?, cancelledBy cancellation: CancellationSignal? = nil
  ) throws(Failure) {
    try self.init(
      application: application, on: terminal, TerminalSituation(of: terminal),
      look: .ofEnvironment(), cancelledBy: cancellation)
  }

  /// For a situation that was found otherwise.
  init(
    application: String, on terminal: Terminal?, _ situation: TerminalSituation,
    look: Display.Look, cancelledBy cancellation: CancellationSignal? = nil
  ) throws(Failure) {
    let terminal = situation.takesKeys ? terminal : nil
    self.situation = situation
    self.terminal = terminal
    self.cancellation = cancellation
    cancelled = try cancellation?.descriptor()
    screen = terminal.map {
      PromptScreen(
        on: Display($0.descriptor, look, .ofLocale()), .terminal, application: application)
    }
    dialog = PromptDialog(on: terminal, screen)
  }

  package func requestBegins() throws(Failure) {
    if cancellation?.isCancelled == true { throw .requestCancelled }
    dialog.prepare()
  }

  package func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    try dialog.show(prompt, in: conversation)
  }

  package func tell(_ progress: Progress.Event) { screen?.tell(progress) }

  package var watchedDescriptors: [Int32] {
    [isCancelled ? nil : cancelled, dialog.keyboard].compactMap(\.self)
  }

  package func descriptorIsReady(
    _ number: Int32, in conversation: any PromptConversation
  ) throws(Failure) {
    if number == cancelled {
      isCancelled = true
      return try conversation.cancelRequest()
    }
    try dialog.readKeys(in: conversation) { (intrusion) throws(Failure) in
      if intrusion == .suspend, JobControl.isIgnored(SIGTSTP) { return }
      self.intrusion = intrusion
      try conversation.cancelRequest()
    }
  }

  package func requestEnded() {
    dialog.end()
    guard intrusion == .interrupt else { return }
    intrusion = nil
    JobControl.interrupt()
  }

  package func suspend() throws(Failure) -> Bool {
    guard intrusion == .suspend else { return false }
    intrusion = nil
    JobControl.suspend()
    guard terminal?.isInForeground == true else { throw .wentToBackground }
    return true
  }
}
