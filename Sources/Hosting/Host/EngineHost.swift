import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox

/// Hosts the enclave: calls from the mailbox and frames from the sockets of driver hosts, on one
/// thread.
struct EngineHost: ~Copyable {
  private var engine: LoadedEngine
  private let mailbox: HostMailbox
  private var channels: [FrameChannel] = []

  private init(_ engine: consuming LoadedEngine, _ mailbox: HostMailbox) {
    self.engine = engine
    self.mailbox = mailbox
  }

  static func run(
    _ path: String, folder: String, tpm: String?, _ sandbox: inout HostSandbox,
    _ mailbox: HostMailbox
  ) throws(Failure) {
    let file = try TrustedFile(checking: path, missing: .engineFailed)
    let store = try FolderStore(path: folder)
    let device = try tpm.map { (text) throws(Failure) in TPMDevice(try TPMAddress(parsing: text)) }
    let services = HostServices(
      store: store, tpm: device, log: mailbox.log,
      events: { mailbox.send(EngineEvent(SecretBytes(copying: $0))) })
    let files = try PluginFiles([file], code: .engineFailed)
    sandbox.enterLoading(files: files.paths, folder: folder)
    mailbox.send(HostStage(.loading))
    let mapped = try MappedPlugin(file, code: .engineFailed)
    try sandbox.close(folder: store.descriptor)
    try sandbox.expectNoDescriptors(of: file, code: .engineFailed)
    Lifeline.watch(mailbox.descriptor)
    mailbox.send(HostStage(.entry))
    let entered = try LoadedEngine.enter(mapped, .enclave, services: services)
    mailbox.send(HostStage(.creation))
    let engine = try entered.create()
    mailbox.send(
      HostReady(
        pluginName: engine.name, pluginVersion: engine.version, abiVersion: engine.abiVersion,
        path: engine.path, report: sandbox.report.bounded))
    var host = EngineHost(engine, mailbox)
    host.serve()
  }

  private mutating func serve() {
    var idle = IdleMemory()
    while true {
      var polls = [pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)]
      polls += channels.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&polls, UInt(polls.count), idle.limit()) > 0 else {
        idle.timePassed()
        continue
      }
      idle.wasUsed()
      if polls[0].revents != 0 {
        // The core comes first, because it may take a channel away.
        guard let message = mailbox.receive() else { return }
        handle(message)
        continue
      }
      let readable = polls.dropFirst().enumerated().filter { $1.revents != 0 }.map {
        channels[$0.offset]
      }
      for channel in readable { read(channel) }
    }
  }

  private mutating func handle(_ message: consuming ReceivedMessage) {
    let descriptor = message.descriptors.takeFirst()
    do throws(DecodeError) {
      let bytes = message.bytes.bytes
      switch bytes.count > 0 ? bytes[0] : 0 {
      case EngineCall.number:
        mailbox.reply(call(try EngineCall.content(of: bytes)))
      case AttachSensor.number:
        let number = try AttachSensor.decode(bytes).channel
        channels.removeAll { $0.number == number }
        guard let descriptor else { throw .invalidValue(field: "descriptor of AttachSensor") }
        channels.append(FrameChannel(number, descriptor))
      case DetachSensor.number:
        let number = try DetachSensor.decode(bytes).channel
        channels.removeAll { $0.number == number }
      default: throw .unknownMessage(number: bytes.count > 0 ? bytes[0] : 0)
      }
    } catch {
      mailbox.end(because: "its host was sent something that is no message (\(error))")
    }
  }

  private mutating func read(_ channel: FrameChannel) {
    switch channel.read() {
    case .nothingYet: return
    case .message(let message): _ = call(message.bytes)
    case .over(let message):
      channels.removeAll { $0 === channel }
      _ = call(message.bytes)
    }
  }

  /// An engine that fails a call is broken. The core starts a new one.
  private mutating func call(_ request: Span<UInt8>) -> SecretBytes {
    do throws(Failure) {
      return try engine.call(request)
    } catch {
      mailbox.end(because: "failed: \(error.message)")
    }
  }
}

/// Reports which USB devices come and go, with a transport that can watch. Opens none of them.
enum WatchHost {
  private static let longestWait: Int32 = 3_600_000

  static func run(
    _ path: String, _ sandbox: inout HostSandbox, _ mailbox: HostMailbox
  ) throws(Failure) {
    let file = try TrustedFile(checking: path)
    let services = HostServices(abiVersion: PluginABI.transport, log: mailbox.log)
    let files = try PluginFiles([file], code: .driverFailed)
    sandbox.enterLoading(files: files.paths)
    mailbox.send(HostStage(.loading))
    let mapped = try MappedPlugin(file)
    try sandbox.expectNoDescriptors(of: file, code: .driverFailed)
    mailbox.send(HostStage(.entry))
    let transport = try LoadedTransport(entering: mapped, services: services)
    try sandbox.close()
    Lifeline.watch(mailbox.descriptor)
    let watcher = try transport.startWatch()
    mailbox.send(
      HostReady(
        pluginName: transport.name, pluginVersion: "", abiVersion: transport.abiVersion,
        path: transport.path,
        report: sandbox.report.bounded))
    var idle = IdleMemory()
    while true {
      if let change = try watcher.next(milliseconds: UInt32(idle.limit(longestWait))) {
        mailbox.send(change)
        idle.wasUsed()
      } else {
        idle.timePassed()
      }
    }
  }
}
