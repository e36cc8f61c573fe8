import Glibc
package import LinuxSystem
import Protocol

/// Where this program's parts lie, and what the environment changes about that. Made once at start
/// and passed on.
package struct Installation: Equatable, Sendable {
  /// Whether hosts are confined.
  package enum SandboxSetting: Equatable, Sendable { case on, off }

  /// The folder of the running program; `authcore-host` lies beside it.
  package let executableFolder: String
  /// What that folder is a part of.
  package let tree: ProgramTree
  /// Where plugins are looked for.
  package let search: PluginSearch
  /// Whether hosts are confined.
  package let sandbox: SandboxSetting
  /// Where the enclave's host finds a TPM; nil: it shall use none.
  package let tpm: String?
  /// What the environment may change.
  package let privilege: ProcessPrivilege
  /// What the environment changed, or tried to: a sentence each, to be shown or logged once.
  package let announcements: [String]

  /// Of this process (`/proc/self/exe`) and its environment.
  package static func current(isService: Bool) -> Installation {
    Installation(
      executableFolder: folderOfThisProgram(),
      pluginPath: EnvironmentVariable.value(of: "AUTHCORE_PLUGIN_PATH"),
      sandboxSetting: EnvironmentVariable.value(of: "AUTHCORE_SANDBOX"),
      tpmSetting: EnvironmentVariable.value(of: "AUTHCORE_TPM"),
      privilege: .current(isService: isService))
  }

  /// - Parameters:
  ///   - executableFolder: absolute.
  ///   - pluginPath: the value of `AUTHCORE_PLUGIN_PATH`.
  ///   - sandboxSetting: the value of `AUTHCORE_SANDBOX`.
  ///   - tpmSetting: the value of `AUTHCORE_TPM`.
  ///   - privilege: a privileged process believes none of them.
  package init(
    executableFolder: String, pluginPath: String? = nil, sandboxSetting: String? = nil,
    tpmSetting: String? = nil, privilege: ProcessPrivilege = .ordinary
  ) {
    self.executableFolder = executableFolder
    tree = ProgramTree(executableFolder: executableFolder)
    self.privilege = privilege
    var announcements: [String] = []
    var trustedPath: String?
    if let pluginPath, !pluginPath.isEmpty {
      switch privilege {
      case .ordinary:
        trustedPath = pluginPath
        announcements.append("AUTHCORE_PLUGIN_PATH: plugins are loaded from \(pluginPath) first")
      case .privileged:
        announcements.append("AUTHCORE_PLUGIN_PATH is ignored: this process is privileged")
      }
    }
    switch (sandboxSetting, privilege) {
    case ("off", .ordinary):
      sandbox = .off
      announcements.append("AUTHCORE_SANDBOX=off: drivers and the enclave run without a sandbox")
    case ("off", .privileged):
      sandbox = .on
      announcements.append("AUTHCORE_SANDBOX=off is ignored: this process is privileged")
    default: sandbox = .on
    }
    switch (tpmSetting, privilege) {
    case (nil, _), ("", _): tpm = TPMAddress.usual.text
    case ("off", .ordinary):
      tpm = nil
      announcements.append("AUTHCORE_TPM=off: no TPM is used")
    case (let setting?, .ordinary):
      tpm = setting
      announcements.append("AUTHCORE_TPM: the TPM is \(setting)")
    case (_, .privileged):
      tpm = TPMAddress.usual.text
      announcements.append("AUTHCORE_TPM is ignored: this process is privileged")
    }
    self.announcements = announcements
    search = PluginSearch(of: tree, pluginPath: trustedPath)
  }

  /// `authcore-host`, checked like a plugin.
  func hostProgram() throws(Failure) -> TrustedFile {
    try TrustedFile(checking: executableFolder + "/authcore-host", missing: .coreFailed)
  }

  /// Whether a driver is the replay driver of this program's own tree. It is told by its path alone:
  /// a copy elsewhere is not, nor is one that `AUTHCORE_PLUGIN_PATH` names.
  package func isReplayDriver(_ driver: InstalledDriver) -> Bool {
    guard let path = tree.pluginFolders.first?.driverPaths(named: "replay").first,
      let own = try? TrustedFile(checking: path)
    else { return false }
    return driver.path == own.path
  }

  private static func folderOfThisProgram() -> String {
    // /proc/self/exe is canonical; PATH_MAX bounds it (realpath(3)).
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return "/usr/bin" }
    defer { unsafe free(path) }
    let text = unsafe String(cString: path)
    guard let slash = text.lastIndex(of: "/"), slash != text.startIndex else { return "/" }
    return String(text[..<slash])
  }
}
