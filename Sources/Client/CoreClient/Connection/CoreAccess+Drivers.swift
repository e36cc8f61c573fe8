package import Protocol

extension CoreAccess {
  /// What a driver's name and options come to, by the word of `authcored`: a client that links no
  /// part of the core asks so, and goes on with ``Protocol/UseDriver``.
  /// - Parameters:
  ///   - argument: `NAME|PATH[:key=value,…]`, as `--driver` takes it.
  ///   - environment: says what relative paths are relative to, and where is remembered what drivers
  ///     say of themselves.
  ///   - program: `authcored`, an absolute path.
  /// - Returns: what the core is to be told.
  /// - Throws: what is wrong with them, in the words of the command.
  package static func resolve(
    driver argument: String, in environment: ClientEnvironment, program: String
  ) throws(Failure) -> ResolvedDriver {
    try CoreStarter(program: program).resolve(
      driver: argument, relativeTo: environment.workingFolder,
      descriptions: environment.descriptionsFile(home: environment.home))
  }
}
