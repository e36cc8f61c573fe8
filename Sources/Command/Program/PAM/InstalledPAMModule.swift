import Glibc
import LinuxSystem
import PluginHosting
import Protocol

/// Where `pam_authcore.so` lies, and what a PAM file calls it.
enum InstalledPAMModule {
  /// Its name where libpam looks for modules by itself, which is where its own are; else its path.
  /// - Parameters:
  ///   - root: empty for this machine.
  ///   - installation: of this program, which may have brought one elsewhere.
  /// - Returns: what stands in a PAM file.
  /// - Throws: `usage` where there is none, `untrustedPlugin` where others could change it.
  static func name(root: String, _ installation: Installation) throws(Failure) -> String {
    let module = PAMConfiguration.module
    var places = folders(root)
    if root.isEmpty, case .installed(let prefix) = installation.tree {
      places.append((prefix == "/" ? "" : prefix) + "/lib/security")
    }
    let found = places.filter { unsafe access("\($0)/\(module)", F_OK) == 0 }
    if found.contains(where: { unsafe access("\($0)/pam_unix.so", F_OK) == 0 }) { return module }
    guard let folder = found.first else {
      throw Failure(
        .usage, "\(module) is not installed",
        hint: "install authcore for the whole machine: sudo make install, or its package")
    }
    return try TrustedFile(checking: "\(folder)/\(module)", missing: .usage).path
  }

  /// Where distributions keep libpam's modules.
  private static func folders(_ root: String) -> [String] {
    #if arch(arm64)
      let architecture = "aarch64"
    #else
      let architecture = "x86_64"
    #endif
    return [
      "/lib/\(architecture)-linux-gnu", "/usr/lib/\(architecture)-linux-gnu", "/lib64",
      "/usr/lib64", "/lib", "/usr/lib",
    ].map { root + $0 + "/security" }
  }
}
