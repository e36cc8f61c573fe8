import TestSupport

/// Makes a folder for `body` and removes it with all that is in it.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  let folder = try TemporaryFolder()
  try withExtendedLifetime(folder) { try body(folder.path) }
}
