extension CopyDatabase {
  /// The name of the database to read. A log beside it is a part of it.
  package static let source = "given.sqlite"

  /// The name of the database that is made; one that is there is replaced.
  package static let target = "copied.sqlite"
}

/// The file beside the database that keeps room for removals. It holds nothing, and no move takes it.
package let removalReserveName = ".removals"

/// Bytes that one keychain may take on the disk, with what it has put aside.
package let largestKeychain = 256 << 20
