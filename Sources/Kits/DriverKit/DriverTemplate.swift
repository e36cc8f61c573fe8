internal import CEmbeddedFiles
import Glibc
import LinuxSystem
import PluginHosting
package import Protocol

/// A folder for a new driver: sources that build, load and pass every check, a device model, and
/// everything that they need.
package struct DriverTemplate: Equatable, Sendable {
  package enum Language: String, CaseIterable, Sendable {
    case c, swift
  }

  /// What kind of reader it is for.
  package enum Reader: String, CaseIterable, Sendable {
    case press, swipe
    case chip = "match-on-chip"

    /// The product number of the imaginary one.
    fileprivate var product: String {
      switch self {
      case .press: "0001"
      case .swipe: "0002"
      case .chip: "0003"
      }
    }
  }

  package struct File: Equatable, Sendable {
    /// Relative to the folder.
    package let path: String
    package let text: String
  }

  /// What `--driver` will take.
  package let name: String
  package let language: Language
  package let reader: Reader
  /// The device it is for, or nil for the imaginary one.
  package let device: DriverDescription.USBMatch?
  /// The command that checks it, if PATH has none.
  package let command: String

  private static let longestName = 32

  /// - Throws: `usage` if no driver can have this name, or there is no template in this language.
  package init(
    name: String, language: Language, reader: Reader = .press,
    device: DriverDescription.USBMatch?, command: String = "authcore"
  ) throws(Failure) {
    guard DriverDescription.isName(name), name.utf8.count <= Self.longestName,
      let first = name.utf8.first, 0x61...0x7A ~= first, !name.hasSuffix("-model")
    else {
      throw Failure(
        .usage, "\u{201C}\(name)\u{201D} cannot be the name of a driver",
        hint: "up to \(Self.longestName) of lower case, digits and '-', with a letter first; "
          + "NAME-model is the device of NAME")
    }
    guard language == .c || reader != .chip else {
      throw Failure(
        .usage, "There is no template in Swift for a reader that matches on the chip",
        hint: "leave --language out for one in C, or start from Drivers/ElanChip")
    }
    (self.name, self.language, self.reader) = (name, language, reader)
    (self.device, self.command) = (device, command)
  }

  /// All files of the folder.
  package var files: [File] {
    EmbeddedFiles.all.compactMap { source, text in
      guard let path = path(of: source) else { return nil }
      let isOurs = source.hasPrefix("Drivers/")
      return File(path: path, text: isOurs ? adapted(chosen(text, of: source)) : text)
    }
  }

  /// Where a file of the sources goes, or nil if it is not needed.
  private func path(of source: String) -> String? {
    if let name = source.after("include/") { return "include/" + name }
    if source == "Drivers/Template/README.md" { return "README.md" }
    switch language {
    case .c: return source.after("Drivers/Template/").map(renamed)
    case .swift:
      if let name = source.after("Sources/Matching/FrameAssembly/") {
        return "FrameAssembly/" + name
      }
      if let name = source.after("Sources/Kits/SensorKit/") { return "SensorKit/" + name }
      if let name = source.after("scripts/exports/") { return "exports/" + name }
      return source.after("Drivers/TemplateSwift/").map(renamed)
    }
  }

  private func renamed(_ path: String) -> String {
    path.hasPrefix("template") ? name + path.dropFirst("template".count) : path
  }

  /// The lines of a template that are for this language and reader. They are chosen as a compiler
  /// would: by `#if SWIPE`, `#elif CHIP`, `#else` and `#endif`, each alone on its line.
  private func chosen(_ text: String, of source: String) -> String {
    // Swift indents the lines between.
    let indentation = source.hasSuffix(".swift") ? "  " : ""
    var kept: [Substring] = []
    // Of each condition that the line is in: whether the line is wanted, and whether one before was.
    var conditions: [(isWanted: Bool, wasWanted: Bool)] = []
    func choose(_ condition: Bool) {
      let wasWanted = conditions.popLast()?.wasWanted ?? false
      conditions.append((condition && !wasWanted, condition || wasWanted))
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.split(separator: " ")
      switch words.first {
      case "#if":
        conditions.append((false, false))
        choose(holds(words[1]))
      case "#elif": choose(holds(words[1]))
      case "#else": choose(true)
      case "#endif": conditions.removeLast()
      default:
        guard conditions.allSatisfy(\.isWanted) else { continue }
        let margin = String(repeating: indentation, count: conditions.count)
        kept.append(line.hasPrefix(margin) ? line.dropFirst(margin.count) : line)
      }
    }
    return kept.joined(separator: "\n")
  }

  /// Whether a condition of a template holds.
  private func holds(_ condition: Substring) -> Bool {
    switch condition {
    case "SWIPE": reader == .swipe
    case "!SWIPE": reader != .swipe
    case "CHIP": reader == .chip
    case "!CHIP": reader != .chip
    case "SWIFT": language == .swift
    default: preconditionFailure("A template has the unknown condition \(condition)")
    }
  }

  /// Replaces the template's names and numbers by the new driver's.
  private func adapted(_ text: String) -> String {
    var text = text
    let typeName = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined()
    var replacements = [
      ("AUTHCORE ?= authcore", "AUTHCORE ?= $(shell command -v authcore || echo '\(command)')"),
      ("../../include", "include"), ("../../Sources/Matching/FrameAssembly", "FrameAssembly"),
      ("../../Sources/Kits/SensorKit", "SensorKit"),
      ("\"Template press sensor (imaginary)\"", "\"\(name)\""),
      ("\"Template swipe sensor (imaginary)\"", "\"\(name)\""),
      ("\"Template match-on-chip sensor (imaginary)\"", "\"\(name)\""),
      ("TemplateSensor", typeName + "Sensor"), ("TemplateDevice", typeName + "Device"),
    ]
    // Not those that a chip makes of fingers.
    replacements += [".c", ".swift", ".so", "-model", "\""].map { ("template" + $0, name + $0) }
    if let device {
      let product = reader.product
      let (old, new) = ("0x" + product, "0x" + device.productText)
      let vendor = "0x" + device.vendorText
      replacements += [
        ("1209:" + product, device.text),
        (
          ".vendor_id = 0x1209, .product_id = \(old)",
          ".vendor_id = \(vendor), .product_id = \(new)"
        ),
        ("VENDOR = 0x1209, PRODUCT = \(old)", "VENDOR = \(vendor), PRODUCT = \(new)"),
        ("vendor: 0x1209, product: \(old)", "vendor: \(vendor), product: \(new)"),
      ]
    }
    for (old, new) in replacements { text = text.replacing(old, with: new) }
    return text
  }

  /// Makes the folder and writes the files.
  /// - Parameter parent: the absolute path of the folder to make it in.
  /// - Returns: the folder's path.
  /// - Throws: `errSecDuplicateItem` if there is something of that name, `storageFailed` naming the
  ///   file.
  package func write(in parent: String) throws(Failure) -> String {
    let folder = parent + "/" + name
    guard unsafe mkdir(folder, 0o755) == 0 else {
      if errno == EEXIST {
        throw Failure(
          .errSecDuplicateItem, "\(folder) is there already",
          hint: "choose another name, or remove it first")
      }
      throw Self.failure(folder)
    }
    var made: Set<String> = []
    for file in files {
      var path = folder
      let parts = file.path.split(separator: "/")
      for part in parts.dropLast() {
        path += "/" + part
        guard made.insert(path).inserted else { continue }
        guard unsafe mkdir(path, 0o755) == 0 else { throw Self.failure(path) }
      }
      try Self.write(file.text, to: folder + "/" + file.path)
    }
    return folder
  }

  private static func write(_ text: String, to path: String) throws(Failure) {
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw failure(path) }
    let file = Descriptor(owning: number)
    guard DescriptorBytes.write(Array(text.utf8).span, to: file.number) else {
      throw failure(path)
    }
  }

  private static func failure(_ path: String) -> Failure {
    let reason = unsafe String(cString: strerror(errno))
    return Failure(.storageFailed, "Cannot write \(path): \(reason)")
  }
}

extension String {
  fileprivate func after(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}

/// The files that a new driver is made from.
enum EmbeddedFiles {
  /// Paths in the sources, and their texts.
  static var all: [(path: String, text: String)] {
    var files: [(path: String, text: String)] = []
    while let file = unsafe ac_embedded_file(UInt(files.count))?.pointee {
      unsafe files.append((String(cString: file.path), String(cString: file.text)))
    }
    return files
  }
}
