import Foundation
import LinuxSystem
import PluginHosting
import Protocol
import TestSupport
import Testing

@Suite("What the constructors of a plugin may do")
struct ConstructorTests {
  let folder: TemporaryFolder

  /// A state folder, as it lies when somebody keeps plugins above it, or in it.
  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("state")
    for name in ["root.key", "keybag", "keychain.db"] {
      try folder.write(name, "secret")
      try folder.write("state/" + name, "secret")
    }
  }

  /// What the constructor of a driver says that it had.
  private func haul(sandbox: String? = nil) throws -> String {
    let installation = Fixture.installation(sandbox: sandbox)
    let path = try Fixture.compile("driver.c", ["PROBES"], in: folder)
    let driver = try DriverCatalog(installation).describe(path)
    return try #require(throws: Failure.self) {
      try SensorSession(driver, options: [], in: installation)
    }.message
  }

  @Test("a driver's constructor gets no file beside it, nothing else and no writable code")
  func driver() throws { #expect(try haul() == " nothing") }

  @Test("without a sandbox the same constructor gets all of it: it does reach for it")
  func withoutSandbox() throws {
    let had = try haul(sandbox: "off")
    for prize in [
      "/root.key (read)", " keychain.db (read)", "/state/keybag (read)", "listing", "new-file",
      "/etc/passwd", "rwx-pages", "data-to-code", "rwx-file", "shared-code",
      "changed-file-to-code",
    ] {
      #expect(had.contains(prize), "\(prize) in \(had)")
    }
  }

  @Test("an enclave's constructor gets nothing that lies beside its file")
  func engine() throws {
    let path = try Fixture.compile("engine.c", ["PROBES"], in: folder)
    let failure = try #require(throws: Failure.self) {
      try HostProcess.startEnclave(
        TrustedFile(checking: path), folder: folder.file("enclave"), in: Fixture.installation())
    }
    #expect(failure.message == " nothing")
  }

  @Test("a transport's constructor gets nothing either")
  func transport() throws {
    _ = try Fixture.compile("transport.c", as: "libauthcore-transport-recording.so", in: folder)
    let installation = Fixture.installation(pluginPath: folder.path)
    let recording = try folder.write("recording", "")
    let failure = try #require(throws: Failure.self) {
      try SensorSession(
        Fixture.driver(in: folder), options: [], source: .recording(path: recording, text: ""),
        in: installation)
    }
    #expect(failure.message == " nothing")
  }

  @Test("not even the watcher's, which may look at what is connected")
  func watcher() throws {
    _ = try Fixture.compile("transport.c", as: "libauthcore-transport-usb.so", in: folder)
    let failure = try #require(throws: Failure.self) {
      _ = try HostProcess.startWatch(in: Fixture.installation(pluginPath: folder.path))
    }
    #expect(failure.message == " nothing")
  }

  @Test(
    "a plugin that leaves a descriptor open while it is loaded is refused, before its entry",
    arguments: [
      "dup(3)", "fcntl(3,F_DUPFD,100)", "open(\"/etc/ld.so.cache\",O_RDONLY)", "open(\"/\",O_PATH)",
    ])
  func descriptors(leaves: String) throws {
    let macros = ["PROBES", "LEAVES=" + leaves]
    let path = try Fixture.compile("driver.c", macros + ["IN_ENTRY=exit"], in: folder)
    let driver = try #require(throws: Failure.self) {
      try DriverCatalog(Fixture.installation()).describe(path)
    }
    #expect(driver.code == .driverFailed)
    #expect(driver.message.contains("while it was loaded it left descriptor"), "\(driver)")
    #expect(driver.message.contains(path))
    let engine = try Fixture.compile("engine.c", macros, in: folder)
    let failure = try #require(throws: Failure.self) {
      try HostProcess.startEnclave(
        TrustedFile(checking: engine), folder: folder.file("enclave"), in: Fixture.installation())
    }
    #expect(failure.code == .engineFailed)
    #expect(failure.message.contains("while it was loaded it left descriptor"), "\(failure)")
  }

  @Test("a transport that leaves one, too, though its entry may make some")
  func transportDescriptor() throws {
    _ = try Fixture.compile(
      "transport.c", ["LEAVES=eventfd(0,0)"], as: "libauthcore-transport-usb.so", in: folder)
    let failure = try #require(throws: Failure.self) {
      _ = try HostProcess.startWatch(in: Fixture.installation(pluginPath: folder.path))
    }
    #expect(failure.message.contains("while it was loaded it left descriptor"), "\(failure)")
  }

  @Test(
    "a plugin that needs writable code is refused with what its author can do",
    arguments: [
      (["-Wl,-z,execstack"], "wants an executable stack", "-z noexecstack"),
      (
        ["-fno-pic", "-mcmodel=large", "-Wl,-z,notext"], "changes its own code",
        "compile it with -fPIC"
      ),
    ])
  func writableCode(options: [String], reason: String, remedy: String) throws {
    let path = try Fixture.compile("driver.c", options: options, in: folder)
    let failure = try #require(throws: Failure.self) {
      try DriverCatalog(Fixture.installation()).describe(path)
    }
    #expect(failure.message.contains(reason), "\(failure.message)")
    #expect(failure.hint?.contains(remedy) == true)
  }

  @Test("libraries that a driver names lie beside it or further down, and may need others")
  func libraries() throws {
    try folder.makeFolder("more")
    _ = try Fixture.compile(
      "driver.c", ["NAME=\"inner\""], options: ["-Wl,-soname,libinner.so"], as: "more/libinner.so",
      in: folder)
    let beside = folder.file("more")
    _ = try Fixture.compile(
      "driver.c", ["NAME=\"outer\""],
      options: ["-Wl,-rpath,$ORIGIN/more", "-Wl,--no-as-needed", "-L" + beside, "-linner"],
      as: "libouter.so", in: folder)
    let path = try Fixture.compile(
      "driver.c",
      options: ["-Wl,-rpath,$ORIGIN", "-Wl,--no-as-needed", "-L" + folder.path, "-louter"],
      in: folder)
    #expect(try DriverCatalog(Fixture.installation()).describe(path).description.name == "fixture")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o666], ofItemAtPath: folder.file("more/libinner.so"))
    // Another state of the file, so that the answer is no remembered one.
    try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: path)
    let failure = try #require(throws: Failure.self) {
      try DriverCatalog(Fixture.installation()).describe(path)
    }
    #expect(failure.code == .untrustedPlugin)
    #expect(failure.message.contains("libinner.so: it can be written by everybody"))
  }
}
