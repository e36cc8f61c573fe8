internal import CEmbeddedFiles
import Glibc
import LinuxSystem
import PluginHosting
package import Protocol

/// A folder for a new driver: sources that build, load and pass every check, a device as software,
/// and everything they need.
package struct DriverTemplate: Equatable, Sendable {
  /// What the driver is written in.
  package enum Language: String, CaseIterable, Sendable {
    case c, swift
  }

  package struct File: Equatable, Sendable {
    /// Relative to the folder.
    package let path: String
    package let text: String
  }

  /// What `--driver` will take.
  package let name: String
  package let language: Language
  /// Whether a finger is put on its sensor or drawn over it.
  package let scanType: DriverDescription.ScanType
  /// The device it is for; nil: the imaginary one.
  package let device: DriverDescription.USBMatch?
  /// The command that checks it where PATH has none.
  package let command: String

  private static let longestName = 32

  /// - Throws: `usage` for a name that no driver can have.
  package init(
    name: String, language: Language, scanType: DriverDescription.ScanType = .press,
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
    self.name = name
    self.language = language
    self.scanType = scanType
    self.device = device
    self.command = command
  }

  /// Every file, folders before what is in them.
  package var files: [File] {
    EmbeddedFiles.all.compactMap { embedded in
      guard let path = path(of: embedded.path) else { return nil }
      return File(path: path, text: isOwn(embedded.path) ? adapted(embedded.text) : embedded.text)
    }
  }

  /// Where a file of the sources goes; nil: it is not needed.
  private func path(of source: String) -> String? {
    if let name = source.after("include/") { return "include/" + name }
    switch language {
    case .c:
      return ownPath(of: source, press: "Drivers/Template/", swipe: "Drivers/TemplateSwipe/")
    case .swift:
      if let name = source.after("Sources/Matching/FrameAssembly/") {
        return "FrameAssembly/" + name
      }
      if let name = source.after("Sources/Kits/SensorKit/") { return "SensorKit/" + name }
      if let name = source.after("scripts/exports/") { return "exports/" + name }
      return ownPath(
        of: source, press: "Drivers/TemplateSwift/", swipe: "Drivers/TemplateSwipeSwift/")
    }
  }

  /// Both kinds of reader share a Makefile.
  private func ownPath(of source: String, press: String, swipe: String) -> String? {
    if source == press + "Makefile" { return "Makefile" }
    return source.after(scanType == .swipe ? swipe : press).map(renamed)
  }

  private func isOwn(_ source: String) -> Bool { source.hasPrefix("Drivers/") }

  private func renamed(_ path: String) -> String {
    path.hasPrefix("template") ? name + path.dropFirst("template".count) : path
  }

  /// The template's names and numbers replaced by the new driver's.
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
      ("TemplateSensor", typeName + "Sensor"), ("TemplateDevice", typeName + "Device"),
      ("template", name),
    ]
    if let device {
      let product = scanType == .swipe ? "0002" : "0001"
      replacements += [
        ("1209:" + product, device.text),
        (
          ".vendor_id = 0x1209, .product_id = 0x" + product,
          ".vendor_id = 0x\(device.vendorText), .product_id = 0x\(device.productText)"
        ),
        (
          "VENDOR = 0x1209, PRODUCT = 0x" + product,
          "VENDOR = 0x\(device.vendorText), PRODUCT = 0x\(device.productText)"
        ),
        (
          "vendor: 0x1209, product: 0x" + product,
          "vendor: 0x\(device.vendorText), product: 0x\(device.productText)"
        ),
      ]
    }
    for (old, new) in replacements { text = text.replacing(old, with: new) }
    return text
  }

  /// Makes the folder and writes the files.
  /// - Parameter parent: the absolute path of the folder to make it in.
  /// - Returns: the folder's path.
  /// - Throws: `errSecDuplicateItem` where there is something of that name, `storageFailed` naming
  ///   the file.
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
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.span.extracting(droppingFirst: written).withUnsafeBytes {
        unsafe Glibc.write(file.number, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw failure(path) }
      written += count
    }
  }

  private static func failure(_ path: String) -> Failure {
    let reason = unsafe String(cString: strerror(errno))
    return Failure(.storageFailed, "Cannot write \(path): \(reason)")
  }
}

extension String {
  /// What follows a prefix.
  fileprivate func after(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}

/// The files that a new driver is made from, as they are in the sources.
enum EmbeddedFiles {
  /// Paths in the sources, and what is there.
  static var all: [(path: String, text: String)] {
    var files: [(path: String, text: String)] = []
    while let file = unsafe ac_embedded_file(UInt(files.count))?.pointee {
      unsafe files.append((String(cString: file.path), String(cString: file.text)))
    }
    return files
  }
}
