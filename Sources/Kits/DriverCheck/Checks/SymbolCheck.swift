import AuthcoreABI
import DriverKit
import Glibc

/// What the file gives to others and wants from them, and whether it can be loaded at all.
struct SymbolCheck {
  private let arguments: CheckArguments
  private let report: CheckReporter

  init(_ arguments: CheckArguments, _ report: CheckReporter) {
    (self.arguments, self.report) = (arguments, report)
  }

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
    let descriptor = unsafe open(arguments.driver, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .truncated("file") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
    }
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
