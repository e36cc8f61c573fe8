import Foundation
import LinuxSystem
import PluginHosting
import Protocol
import TestSupport
import Testing

@Suite("Finding plugins")
struct SearchTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("AUTHCORE_PLUGIN_PATH comes first, beside the executable next, the system's folders last")
  func order() {
    let installation = Installation(executableFolder: "/opt/bin", pluginPath: "/a:relative:/b")
    #expect(
      installation.search.folders.map(\.path) == [
        "/a", "/b", "/opt/bin", "/usr/lib/authcore/drivers", "/usr/lib/authcore/plugins",
      ])
    #expect(installation.announcements.count == 1)
  }

  @Test("programs that were installed look beside their own folder, wherever the prefix is")
  func installedTree() {
    func folders(_ executableFolder: String) -> [String] {
      Installation(executableFolder: executableFolder).search.folders.map(\.path)
    }
    let system = ["/usr/lib/authcore/drivers", "/usr/lib/authcore/plugins"]
    #expect(
      folders("/home/me/.local/lib/authcore/bin") == [
        "/home/me/.local/lib/authcore/drivers", "/home/me/.local/lib/authcore/plugins",
      ] + system)
    #expect(folders("/usr/lib/authcore/bin") == system)
    #expect(
      folders("/lib/authcore/bin") == ["/lib/authcore/drivers", "/lib/authcore/plugins"] + system)
    #expect(folders("/build/mylib/authcore/bin").first == "/build/mylib/authcore/bin")
    #expect(
      Installation(executableFolder: "/usr/lib/authcore/bin").tree == .installed(prefix: "/usr"))
  }

  @Test("a privileged process ignores the environment and says so")
  func privileged() {
    let installation = Installation(
      executableFolder: "/opt/bin", pluginPath: "/a", sandboxSetting: "off",
      tpmSetting: "off", privilege: .privileged)
    #expect(installation.search.folders.first?.path == "/opt/bin")
    #expect(installation.sandbox == .on)
    #expect(installation.tpm == "device:/dev/tpmrm0")
    #expect(
      installation.announcements == [
        "AUTHCORE_PLUGIN_PATH is ignored: this process is privileged",
        "AUTHCORE_SANDBOX=off is ignored: this process is privileged",
        "AUTHCORE_TPM is ignored: this process is privileged",
      ])
  }

  @Test("AUTHCORE_TPM names another TPM or none, and announces itself")
  func otherTPM() {
    func installation(_ setting: String?) -> Installation {
      Installation(executableFolder: "/opt/bin", tpmSetting: setting)
    }
    #expect(installation(nil).tpm == "device:/dev/tpmrm0")
    #expect(installation(nil).announcements.isEmpty)
    #expect(installation("off").tpm == nil)
    #expect(installation("off").announcements == ["AUTHCORE_TPM=off: no TPM is used"])
    #expect(installation("swtpm:port=1").tpm == "swtpm:port=1")
    #expect(installation("swtpm:port=1").announcements == ["AUTHCORE_TPM: the TPM is swtpm:port=1"])
  }

  @Test(
    "beside the executable only libauthcore-driver-….so are drivers; in a plugin folder every .so that is ours not otherwise"
  )
  func driverFiles() throws {
    let beside = try folder.makeFolder("bin")
    let plugins = try folder.makeFolder("plugins")
    for name in ["libother.so", "libauthcore-driver-a.so", "libauthcore-enclave.so", "b.so"] {
      try folder.write("bin/" + name, "")
      try folder.write("plugins/" + name, "")
    }
    try folder.write("plugins/.hidden.so", "")
    try folder.write("plugins/notes.txt", "")
    let search = Installation(executableFolder: beside, pluginPath: plugins).search
    #expect(
      search.driverFiles == [
        plugins + "/b.so", plugins + "/libauthcore-driver-a.so", plugins + "/libother.so",
        beside + "/libauthcore-driver-a.so",
      ])
  }

  @Test("an engine is found by its file's name, and its absence names it and the folders")
  func engine() throws {
    let search = Installation(executableFolder: folder.path).search
    let failure = try #require(throws: Failure.self) { try search.engine(.keychain) }
    #expect(failure.code == .engineFailed)
    #expect(failure.message.contains("libauthcore-keychain.so"))
    #expect(failure.hint?.contains(folder.path) == true)
    let path = try folder.write("libauthcore-keychain.so", "")
    #expect(try search.engine(.keychain).path == path)
  }

  @Test("an engine that is not trusted ends the search, and is not passed over")
  func untrustedEngine() throws {
    let first = try folder.makeFolder("first")
    try folder.write("libauthcore-policy.so", "")
    let path = try folder.write("first/libauthcore-policy.so", "")
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    let search = Installation(executableFolder: folder.path, pluginPath: first).search
    let failure = try #require(throws: Failure.self) { try search.engine(.policy) }
    #expect(failure.code == .untrustedPlugin)
  }

  @Test("a driver is found by path, by its file's name, and by what it calls itself")
  func driver() throws {
    let plugins = try TemporaryFolder()
    let path = try Fixture.compile("driver.c", as: "odd.so", in: plugins)
    let catalog = DriverCatalog(Fixture.installation(pluginPath: plugins.path))
    for name in [path, "odd", "fixture"] { #expect(try catalog.driver(name).path == path) }
    let failure = try #require(throws: Failure.self) { try catalog.driver("unknown") }
    #expect(failure.code == .driverNotFound)
    #expect(failure.hint?.contains("fixture") == true)
  }

  @Test(
    "a list of drivers holds the broken ones with their reasons, and of two with one name the first"
  )
  func list() throws {
    let broken = try folder.write("broken.so", "no driver")
    let first = try Fixture.compile("driver.c", as: "first.so", in: folder)
    _ = try Fixture.compile("driver.c", as: "second.so", in: folder)
    let catalog = DriverCatalog(Fixture.installation(pluginPath: folder.path))
    let entries = catalog.all().filter { $0.path.hasPrefix(folder.path) }
    #expect(entries.map(\.path) == [broken, first])
    #expect(throws: Failure.self) { try entries[0].result.get() }
  }
}
