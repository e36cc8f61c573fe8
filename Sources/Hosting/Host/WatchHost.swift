import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox

/// Reports which USB devices come and go, by a transport that can watch; it opens none of them.
enum WatchHost {
  /// How long one wait of the transport lasts, in milliseconds: an hour.
  private static let longestWait: Int32 = 3_600_000

  /// Reports until the mailbox closes.
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
