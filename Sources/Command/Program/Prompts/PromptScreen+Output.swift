import CoreClient

extension Output: PromptSurroundings {}

extension PromptScreen {
  /// For what happens at a sensor without a prompt; `display` is where that is shown.
  convenience init(_ output: Output, on display: Display) {
    self.init(on: display, .messages, beside: output)
  }

  /// `terminal` is where prompts are shown, nil where there is none. `isUnattended`: nobody sees a
  /// prompt, and that a touch is awaited is said on standard error.
  convenience init(_ output: Output, on terminal: Terminal?, isUnattended: Bool = false) {
    let place: Place = isUnattended ? .unattended : terminal == nil ? .messages : .terminal
    self.init(on: output.display(on: terminal), place, beside: output)
  }
}
