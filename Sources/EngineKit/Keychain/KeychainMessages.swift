import Wire

/// Core → keychain: removes the rows that went with the passcode, of all applications: the
/// `when-passcode-set` class and every item with access control. Reply: ``Wire/ItemsChanged``. What
/// applications ask comes as a ``Wire/ApplicationRequest``.
package struct RemovePasscodeBoundItems: EmptyMessage {
  package static var number: UInt8 { 10 }
  package init() {}
}
