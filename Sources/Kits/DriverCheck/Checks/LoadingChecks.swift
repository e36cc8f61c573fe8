import AuthcoreABI
import CSystemCalls
import DriverKit
import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox

/// The symbols that the file exports and imports, and whether it can be loaded at all.
struct SymbolCheck {
  let arguments: CheckArguments
  let report: CheckReporter

  func run() throws(CheckEnd) -> String? {
    let table: SymbolTable
    do throws(SymbolTable.Problem) {
      table = try SymbolTable(file: try bytes())
    } catch {
      throw .failed(
        "cannot be loaded: \(Self.text(error))",
        advice: "build it as a shared object (-shared -fPIC) for this machine")
    }
    report.at("its constructors")
    let plugin = try Plugin(arguments.driver)
    guard table.exported.contains(AC_SENSOR_ENTRY_SYMBOL) else {
      throw .failed(
        "it does not export \(AC_SENSOR_ENTRY_SYMBOL)",
        advice: "declare the function with AC_EXPORT, as sensor.h does")
    }
    let others = table.exported.filter { $0 != AC_SENSOR_ENTRY_SYMBOL }
    guard others.isEmpty else {
      throw .failed(
        "it exports \(others.count) symbol\(others.count == 1 ? "" : "s") more: \(Self.list(others))",
        advice: "compile with -fvisibility=hidden, or link with a version script")
    }
    let foreign = table.imported.filter { !plugin.finds($0) }
    guard foreign.isEmpty else {
      throw .failed(
        "it imports what neither it nor its libraries define: \(Self.list(foreign))",
        advice: "ask for services with host->service; link every library it needs (-lNAME)")
    }
    return nil
  }

  private func bytes() throws(SymbolTable.Problem) -> [UInt8] {
    let number = unsafe open(arguments.driver, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw .truncated("file") }
    let file = Descriptor(owning: number)
    guard let bytes = DescriptorBytes.read(from: file.number, limit: 1 << 30) else {
      throw .truncated("file")
    }
    return bytes
  }

  private static func text(_ problem: SymbolTable.Problem) -> String {
    switch problem {
    case .notELF: "it is no 64-bit ELF file"
    case .noDynamicSymbols: "it has no dynamic symbols"
    case .truncated(let what): "its \(what) leads outside the file"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(4).joined(separator: ", ") + (names.count > 4 ? ", …" : "")
  }
}

/// What a driver's constructors do, before anything has called it.
struct LoadingCheck {
  let arguments: CheckArguments
  let report: CheckReporter

  func run() throws(CheckEnd) -> String? {
    let files = try pluginFiles()
    let openings = try listen()
    let before = ProcessCounts()
    let mappedBefore = Self.writableCode()
    let first = openings.read { $0.count }
    report.at("its constructors")
    _ = try Plugin(arguments.driver)
    let opened = openings.read {
      $0.dropFirst(first).map { String(decoding: $0, as: UTF8.self) }
    }
    if let path = opened.first(where: { !Self.isLibrary($0, files) }) {
      throw .failed(
        "it opened \(path) while it was loaded",
        advice: "open files in open() or later; what a host lets a constructor read is libraries")
    }
    let after = ProcessCounts()
    guard after.descriptors <= before.descriptors else {
      throw .failed(
        "it left \(after.descriptors - before.descriptors) more descriptors open while it was loaded",
        advice: "open in open() what the device needs: a host refuses a driver that does it earlier"
      )
    }
    guard after.threads <= before.threads else {
      throw .failed(
        "it started a thread while it was loaded",
        advice: "start threads in open(), and end them in close()")
    }
    guard Self.writableCode() <= mappedBefore else {
      throw .failed(
        "it mapped memory that is both written and executed",
        advice: "the sandbox refuses such memory, when it is loaded and later")
    }
    return nil
  }

  private func pluginFiles() throws(CheckEnd) -> PluginFiles {
    do throws(Failure) {
      return try PluginFiles([TrustedFile(checking: arguments.driver)], code: .driverFailed)
    } catch {
      throw .failed(error.message, advice: error.hint)
    }
  }

  /// Starts to collect the paths of all files that this thread opens.
  private func listen() throws(CheckEnd) -> Guarded<[[UInt8]]> {
    let paths = Guarded<[[UInt8]]>([])
    let listening = Guarded<OpeningListener?>(nil)
    // Started before the filter is installed, so that the filter does not apply to it.
    SystemThread.start(name: "openings") {
      let listener = listening.wait { $0.take() }
      while listener.next({ path in paths.update { $0.append(path) } }) {}
    }
    _ = ac_prctl(PR_SET_NO_NEW_PRIVS, 1, 0)
    do throws(SystemCallError) {
      let listener = try OpeningListener()
      listening.update { $0 = listener }
    } catch {
      throw .notRun("this kernel does not tell which files are opened (\(error))")
    }
    return paths
  }

  /// Whether the loader or a system library opens this file for any driver.
  private static func isLibrary(_ path: String, _ files: PluginFiles) -> Bool {
    let system = ["/lib/", "/lib64/", "/usr/", "/etc/", "/proc/", "/sys/", "/dev/"]
    return files.paths.contains(path) || system.contains { path.hasPrefix($0) }
      || files.libraryNames.contains { path.hasSuffix("/" + $0) }
  }

  /// How many mappings of this process are both written and executed (proc_pid_maps(5)).
  private static func writableCode() -> Int {
    let maps = SmallFile.contents(of: "/proc/self/maps", limit: 16 << 20) ?? []
    return maps.split(separator: UInt8(ascii: "\n")).count { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
      return fields.count > 1 && fields[1].contains(UInt8(ascii: "w"))
        && fields[1].contains(UInt8(ascii: "x"))
    }
  }
}

/// How the entry treats hosts of other versions.
struct VersionCheck {
  let arguments: CheckArguments
  let report: CheckReporter

  func run() throws(CheckEnd) -> String? {
    let host = CheckHost()
    let entry = unsafe try Plugin(arguments.driver).function(
      AC_SENSOR_ENTRY_SYMBOL, as: LoadedTestDriver.DriverEntry.self)
    var table: UnsafePointer<ac_sensor_driver_t>?
    report.at("ac_sensor_entry of a host of version 2.0")
    let refusal = unsafe entry(host.table(version: 2 << 16, for: .driver), &table)
    guard refusal == ac_status_t(AC_ERR_ABI) else {
      throw .failed(
        "a host of version 2.0 got \(Status.name(refusal)), not AC_ERR_ABI",
        advice: "compare AC_ABI_MAJOR(host->abi_version) before anything else")
    }
    guard unsafe table == nil else {
      throw .failed(
        "it refused a host of version 2.0 and wrote *ret_driver all the same",
        advice: "out-parameters are written when AC_OK is returned, and only then (common.h)")
    }
    report.at("ac_sensor_entry of a host of version 1.9")
    let status = unsafe entry(host.table(version: 1 << 16 | 9, for: .driver), &table)
    guard status == Status.ok, unsafe table != nil else {
      throw .failed(
        "a host of version 1.9 got \(Status.name(status))",
        advice: "a plugin built for any 1.x works with any host 1.y: compare major versions only")
    }
    return nil
  }
}
