// Made by scripts/make-message-list from the declarations.
import MessageList
import PluginHosting

/// Every message that a core and its hosts send each other.
enum EveryHostMessage {
  /// Visits one kind after the other.
  static func visit(with visitor: inout some MessageVisitor) {

  }
}
