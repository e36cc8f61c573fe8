/// Core → keychain: removes the rows that went with the passcode, of all applications: the
/// `when-passcode-set` class and every item with access control. Reply: ``ItemsChanged``. What
/// applications ask comes as a ``ApplicationRequest``.
package struct RemovePasscodeBoundItems: EmptyMessage {
  package static var number: UInt8 { 10 }
  package init() {}
}

/// Core → keychain: makes a database of the items and keys of one that somebody else wrote, of which
/// no statement is ever run. Both lie in the keychain's folder. Reply: ``Done``. Failures:
/// `stateDamaged` where it is not as a keychain writes it, `unsupported` where it is too large,
/// `storageFailed`.
package struct CopyDatabase: EmptyMessage {
  package static var number: UInt8 { 11 }
  /// The name of the database to read. A log beside it is a part of it.
  package static let source = "given.sqlite"
  /// The name of the database that is made; one that is there is replaced.
  package static let target = "copied.sqlite"
  package init() {}
}

/// The file beside the database that keeps room for removals. It holds nothing, and no move takes it.
package let removalReserveName = ".removals"

/// Bytes that one keychain may take on the disk, with what it has put aside.
package let largestKeychain = 256 << 20
