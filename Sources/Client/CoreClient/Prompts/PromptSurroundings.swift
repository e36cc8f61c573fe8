/// What a program says beside its prompts, as far as prompts have to know of it.
package protocol PromptSurroundings: AnyObject {
  /// Whether only what has to be answered is shown (`--quiet`).
  var isQuiet: Bool { get }
  /// A line for whoever reads what the program says.
  func note(_ text: String)
}
