import Glibc
import PluginHosting
import Sandbox
import Wire

/// Reports which USB devices come and go, by a transport that can watch; it opens none of them.
enum WatchHost {
  /// How long one wait of the transport lasts.
  private static let waitMilliseconds: UInt32 = 60_000

  /// Reports until the mailbox closes.
  static func run(
    _ path: String, _ sandbox: inout HostSandbox, _ mailbox: HostMailbox
  ) throws(Failure) {
    let file = try TrustedFile(checking: path)
    let services = HostServices(abiVersion: PluginABI.transport, log: mailbox.log)
    sandbox.enterLoading(plugins: [file.path])
    mailbox.send(HostStage(.loading))
    let transport = try LoadedTransport(file, services: services)
    sandbox.close()
    Lifeline.watch(mailbox.descriptor)
    mailbox.send(HostStage(.entry))
    let watcher = try transport.startWatch()
    mailbox.send(
      HostReady(
        pluginName: transport.name, pluginVersion: "", abiVersion: transport.abiVersion,
        path: transport.path,
        report: sandbox.report))
    while true {
      guard let change = try watcher.next(milliseconds: waitMilliseconds) else { continue }
      mailbox.send(change)
    }
  }
}
