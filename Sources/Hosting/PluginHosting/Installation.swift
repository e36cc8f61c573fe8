import Glibc
package import LinuxSystem
import Protocol

/// Where this program's parts lie, and what the environment changes about that. Made once at start.
package struct Installation: Equatable, Sendable {
  package enum SandboxSetting: Equatable, Sendable { case on, off }

  /// The folder of the running program and of `authcore-host`.
  package let executableFolder: String
  package let tree: ProgramTree
  package let search: PluginSearch
  package let sandbox: SandboxSetting
  /// Where the enclave's host finds a TPM; nil to use none.
  package let tpm: String?
  package let privilege: ProcessPrivilege
  /// What the environment changed, or tried to change: sentences to show or log once.
  package let announcements: [String]

  /// For this process (`/proc/self/exe`) and its environment.
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
  ///   - privilege: a privileged process ignores all of them.
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

  /// Whether a driver is the replay driver of this program's own tree, by its path: a copy
  /// elsewhere is not, nor is one from `AUTHCORE_PLUGIN_PATH`.
  package func isReplayDriver(_ driver: InstalledDriver) -> Bool {
    guard let path = tree.pluginFolders.first?.driverPaths(named: "replay").first,
      let own = try? TrustedFile(checking: path)
    else { return false }
    return driver.path == own.path
  }

  private static func folderOfThisProgram() -> String {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return "/usr/bin" }
    defer { unsafe free(path) }
    let text = unsafe String(cString: path)
    guard let slash = text.lastIndex(of: "/"), slash != text.startIndex else { return "/" }
    return String(text[..<slash])
  }
}
