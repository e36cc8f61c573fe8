import Glibc
import LinuxSystem
package import Protocol

/// Finds the core of a location, starts it on demand, and rejects other versions.
package struct CoreAccess: Sendable {
  package let location: CoreLocation
  /// Finds `authcored`; only called if no core runs.
  private let program: @Sendable () throws(Failure) -> String

  /// How often a core may vanish between being ready and accepting a connection.
  private static let attempts = 5
  /// How long a core and its hosts have to end.
  private static let endDeadline: Int32 = 20_000
  /// How long a core that hung up may go on running, in milliseconds.
  private static let deathDeadline: Int32 = 2000

  /// - Parameters:
  ///   - location: the core's location.
  ///   - program: the absolute path of `authcored`, evaluated if a core has to be started.
  package init(
    to location: CoreLocation,
    program: @autoclosure @escaping @Sendable () throws(Failure) -> String = CoreProgram.path()
  ) {
    (self.location, self.program) = (location, program)
  }

  /// Connects to a core of this version, which is started if none runs. A locked core of another
  /// version is replaced.
  package func connect() throws(Failure) -> CoreConnection {
    try connect { (connection) throws(Failure) in
      if connection.isSameVersion { return true }
      try replace(connection)
      return false
    }
  }

  /// Connects to a core of any release that speaks this version of the protocol, which is started
  /// if none runs. Applications are built apart from the core they meet.
  /// - Throws: `coreVersionMismatch` for a core that speaks another version; it goes on running.
  func connectToAnyRelease() throws(Failure) -> CoreConnection {
    try connect { (connection) throws(Failure) in
      guard connection.speaksSameProtocol else {
        let welcome = connection.welcome
        throw Failure(
          .coreVersionMismatch,
          "authcore \(welcome.softwareVersion) speaks version \(welcome.protocolVersion) of the "
            + "client protocol, and this program version \(ClientEnvelope.version)",
          hint: "Build the program with the libraries of the authcore that is installed.")
      }
      return true
    }
  }

  /// Connects until `accepts` returns true.
  private func connect(
    _ accepts: (CoreConnection) throws(Failure) -> Bool
  ) throws(Failure) -> CoreConnection {
    for _ in 0..<Self.attempts {
      guard let connection = try connectIfRunning() else {
        guard case .folder(let folder) = location else { throw serviceIsAway }
        try CoreStarter(program: try program()).start(for: folder)
        continue
      }
      if try accepts(connection) { return connection }
    }
    throw Failure(
      .coreFailed, "The core of \(location.path) ends right after its start",
      hint: "authcore serve shows what it does.")
  }

  /// Connects to the running core of any version, or returns nil if none runs.
  package func connectIfRunning() throws(Failure) -> CoreConnection? {
    switch location {
    case .folder(let path):
      guard let folder = try OpenStateFolder.open(path),
        let socket = try CoreSocket.connect(to: folder.socketPath, named: path)
      else { return nil }
      let listener = try CoreSocket.listener(of: socket)
      guard listener.user == geteuid() else { throw stranger(listener.user) }
      do throws(Failure) {
        return try CoreConnection(greeting: socket, of: RunningProcess(listener.process))
      } catch  where error.code == .systemCancel || error.code == .coreFailed {
        // It is ending, or was killed before it accepted this client; the next core waits for its
        // lock.
        let isEnding = error.code == .systemCancel
        let hasEnded =
          RunningProcess(listener.process)?.awaitEnd(
            milliseconds: isEnding ? Self.endDeadline : Self.deathDeadline) ?? true
        guard isEnding || hasEnded else { throw error }
        return nil
      }
    case .service(let path):
      guard let socket = try CoreSocket.connect(to: path, named: path) else { return nil }
      let listener = try CoreSocket.listener(of: socket)
      // A socket made by systemd belongs to root; one made by the service to the owner of its
      // folder.
      guard listener.user == 0 || listener.user == owner(of: path) else {
        throw stranger(listener.user)
      }
      do throws(Failure) {
        return try CoreConnection(greeting: socket, isService: true)
      } catch  where error.code == .systemCancel {
        // It is being restarted, and systemd keeps its socket open: the next service accepts this
        // client.
        guard let next = try CoreSocket.connect(to: path, named: path) else { return nil }
        return try CoreConnection(greeting: next, isService: true)
      }
    }
  }

  /// Ends the core and waits until it and its hosts are gone.
  /// - Returns: whether one ran.
  package func quit() throws(Failure) -> Bool {
    guard let connection = try connectIfRunning() else { return false }
    try end(connection, Quit(unlessUnlocked: false))
    return true
  }

  private func replace(_ connection: CoreConnection) throws(Failure) {
    let welcome = connection.welcome
    let names =
      "version \(welcome.softwareVersion) (protocol \(welcome.protocolVersion)), this command is "
      + "\(ClientEnvelope.softwareVersion) (protocol \(ClientEnvelope.version))"
    guard !welcome.isService else {
      throw Failure(
        .coreVersionMismatch, "The service is of \(names)",
        hint: "Run: sudo systemctl restart authcored")
    }
    do throws(Failure) {
      try end(connection, Quit(unlessUnlocked: true))
    } catch {
      guard error.code == .busy else { throw error }
      throw Failure(
        .coreVersionMismatch, "The core of \(location.path) is unlocked and of \(names)",
        hint: "Run: authcore quit. It locks, and the next command starts a core of this version.")
    }
  }

  private func end(_ connection: CoreConnection, _ quit: Quit) throws(Failure) {
    _ = try connection.request(quit, for: Done.self)
    guard connection.awaitEnd(milliseconds: Self.endDeadline) else {
      throw Failure(
        .coreFailed, "The core (process \(connection.welcome.process)) does not end",
        hint: "Run: kill -9 \(connection.welcome.process)")
    }
  }

  private func owner(of socket: String) -> UInt32? {
    guard let slash = socket.lastIndex(of: "/") else { return nil }
    var status = stat()
    return unsafe stat(String(socket[..<slash]), &status) == 0 ? status.st_uid : nil
  }

  private var serviceIsAway: Failure {
    Failure(
      .coreFailed, "The service does not listen on its socket \(location.path)",
      hint: "Run: systemctl status authcored.socket authcored")
  }

  private func stranger(_ user: UInt32) -> Failure {
    Failure(
      .coreFailed, "The core of \(location.path) is run by another user (uid \(user))",
      hint: "Name a folder of your own with --home DIR.")
  }
}

extension CoreAccess {
  /// Asks `authcored` for the meaning of a driver's name and options, as clients do that link no
  /// part of the core.
  /// - Parameters:
  ///   - argument: `NAME|PATH[:key=value,…]`, as `--driver` takes it.
  ///   - environment: the folder for relative paths, and the file that remembers drivers'
  ///     descriptions.
  ///   - program: `authcored`, an absolute path.
  /// - Returns: what to send with ``Protocol/UseDriver``.
  /// - Throws: what is wrong with them, in the words of the command.
  package static func resolve(
    driver argument: String, in environment: ClientEnvironment, program: String
  ) throws(Failure) -> ResolvedDriver {
    try CoreStarter(program: program).resolve(
      driver: argument, relativeTo: environment.workingFolder,
      descriptions: environment.descriptionsFile(home: environment.home))
  }
}
