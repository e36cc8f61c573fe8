import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// `authcored --service` on a state folder of its own, behind a socket that this process holds as
/// systemd does, so that it outlives the service. Everything is gone when the value is.
final class ScratchService {
  private let folder: ScratchFolder
  private let socket: Descriptor
  private var process: ChildProcess?

  init() throws {
    let folder = try ScratchFolder()
    self.folder = folder
    do throws(SystemCallError) {
      socket = try UnixSocket.listen(at: folder.path + "/socket", permissions: 0o600, queue: 32)
    } catch {
      throw BenchmarkFailure("cannot listen in \(folder.path): \(error)")
    }
    process = nil
  }

  var path: String { folder.path + "/socket" }

  func openToAll() {
    _ = unsafe chmod(folder.path, 0o755)
    _ = unsafe chmod(path, 0o666)
  }

  /// 0 if it does not run.
  var identifier: Int32 { process?.identifier ?? 0 }

  /// Starts it. Clients may connect before it is ready.
  func start() throws {
    // LISTEN_PID is the number of a process that does not exist yet.
    var launch = ProgramLaunch(
      path: "/bin/sh",
      arguments: ["-c", "LISTEN_PID=$$ exec \"$0\" --service", CoreProgram.folder() + "/authcored"])
    launch.environment = [
      "PATH=/usr/bin:/bin", "LISTEN_FDS=1", "STATE_DIRECTORY=\(folder.path)/state",
      "CONFIGURATION_DIRECTORY=\(folder.path)/etc",
    ]
    launch.descriptors = [socket.number]
    do throws(SystemCallError) {
      process = try launch.start()
    } catch {
      throw BenchmarkFailure("cannot start the service: \(error)")
    }
  }

  /// Ends it at once (SIGKILL), as a crash would.
  func kill() {
    process?.kill()
    _ = process?.wait(milliseconds: 20_000)
    process = nil
  }

  /// A connection that has been greeted.
  func connect() throws(Failure) -> CoreConnection {
    try CoreAccess(to: .service(socket: path), program: "/none").connect()
  }

  /// Its own processes and those it started; 0 for what this process may not know.
  var usage: Usage {
    let processes = [identifier] + children
    let memory = processes.reduce(0) { $0 + (ResidentMemory.share(of: $1) ?? 0) }
    let ofFiles = processes.reduce(0) { $0 + (ResidentMemory.fileShare(of: $1) ?? 0) }
    return Usage(
      memory: memory, beyondFiles: memory - ofFiles,
      descriptors: FolderNames.sorted(in: "/proc/\(identifier)/fd").count)
  }

  /// Memory in KiB, the part of it that is not pages of files, and open descriptors.
  struct Usage {
    let memory, beyondFiles, descriptors: Int
  }

  var hosts: [Int32] {
    children.filter { process in
      (try? BenchmarkFile("/proc/\(process)/cmdline").text())?.contains("authcore-host") ?? false
    }
  }

  /// The processes it started: hosts, and the witness of who is calling.
  private var children: [Int32] {
    FolderNames.sorted(in: "/proc").compactMap { Int32($0) }.filter { process in
      // Behind the name in parentheses: the state, then the parent's number.
      let fields = (try? BenchmarkFile("/proc/\(process)/stat").text())?.split(separator: ")").last?
        .split(separator: " ")
      return fields.map { $0.count > 1 && $0[1] == "\(identifier)" } ?? false
    }
  }

  deinit { kill() }
}

enum ServiceItems {
  static func add(_ number: Int, to connection: CoreConnection) throws(Failure) {
    var attributes = ItemAttributes()
    attributes.service = "service \(number)"
    attributes.account = "account"
    let request = AddItem(attributes: attributes, secret: SecretBytes(count: 32))
    let _: ItemAdded = try connection.ask(request)
  }

  /// Reads it with its secret.
  static func get(_ number: Int, from connection: CoreConnection) throws(Failure) {
    var query = ItemQuery()
    query.service = "service \(number)"
    let _: GotItem = try connection.ask(GetItem(query: query))
  }
}

/// The least a server can do: takes one client after the other and returns what each sends.
final class EchoServer: Sendable {
  let path: String
  private let socket: Descriptor

  /// Listens in a folder; the thread ends with the process.
  init(in folder: String) throws {
    path = folder + "/echo"
    do throws(SystemCallError) {
      socket = try UnixSocket.listen(at: path, permissions: 0o600, queue: 64)
    } catch {
      throw BenchmarkFailure("cannot listen at \(path): \(error)")
    }
    SystemThread.start(name: "echo") { [self] in
      while true {
        let number = accept(socket.number, nil, nil)
        guard number >= 0 else { continue }
        let client = Descriptor(owning: number)
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
          let count = unsafe read(client.number, &bytes, bytes.count)
          guard count > 0 else { break }
          _ = unsafe write(client.number, bytes, count)
        }
      }
    }
  }

  /// Connects, and has so many bytes returned.
  func visit(bytes count: Int) throws {
    guard let socket = try UnixSocket.connect(to: path) else {
      throw BenchmarkFailure("there is no server at \(path)")
    }
    var bytes = [UInt8](repeating: 7, count: count)
    _ = unsafe write(socket.number, bytes, count)
    guard unsafe read(socket.number, &bytes, count) > 0 else { throw BenchmarkFailure("no echo") }
  }
}
