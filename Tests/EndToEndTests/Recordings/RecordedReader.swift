import Foundation
import TestSupport
import Testing

/// One folder of AUTHCORE_SHARED/recordings that holds a picture: a reader as umockdev simulates
/// it, and what it must give.
struct RecordedReader: Sendable, CustomTestStringConvertible {
  /// Which driver reads it.
  enum Way: String, Sendable, CaseIterable {
    /// One of this project's.
    case native
    /// libfprint's own driver, through the bridge.
    case bridge
  }

  let folder: URL
  let way: Way

  var testDescription: String { "\(name), \(way.rawValue)" }

  /// The folder's name.
  var name: String { folder.lastPathComponent }

  /// The picture that libfprint's own tests expect.
  var picture: URL { folder.appendingPathComponent("capture.png") }

  /// All there are, each for each way; none where there is no AUTHCORE_SHARED.
  static let all: [RecordedReader] = {
    guard let shared = Products.shared else { return [] }
    let recordings = shared.appendingPathComponent("recordings")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: recordings.path)) ?? []
    return names.sorted().flatMap { name in
      Way.allCases.map {
        RecordedReader(folder: recordings.appendingPathComponent(name), way: $0)
      }
    }.filter { FileManager.default.isReadableFile(atPath: $0.picture.path) }
  }()

  /// `05ba:000a`: of the device that comes first in umockdev's description.
  func model() throws -> String {
    var ids: [String: String] = [:]
    for line in try description().split(separator: "\n") {
      guard let pair = line.split(separator: "=").last, line.hasPrefix("A: id") else { continue }
      // The first device is the reader, the ones after it the hubs it hangs on.
      let name = line.contains("idVendor") ? "vendor" : "product"
      if ids[name] == nil { ids[name] = String(pair.prefix(4)) }
    }
    return "\(ids["vendor"] ?? "?"):\(ids["product"] ?? "?")"
  }

  /// What `device=` takes: the traffic, and the model where the file does not say it.
  func device() throws -> String {
    let traffic = folder.appendingPathComponent("capture.pcapng").path
    guard !FileManager.default.isReadableFile(atPath: traffic) else { return traffic }
    return folder.appendingPathComponent("capture.ioctl").path + ":" + (try model())
  }

  /// The arguments of umockdev-run that bring the reader to life.
  func simulation() throws -> [String] {
    let traffic = folder.appendingPathComponent("capture.pcapng")
    let description = ["-d", folder.appendingPathComponent("device").path]
    if FileManager.default.isReadableFile(atPath: traffic.path) {
      let path = try self.description().prefix { $0 != "\n" }.dropFirst("P: ".count)
      return description + ["-p", "/sys\(path)=\(traffic.path)"]
    }
    let requests = folder.appendingPathComponent("capture.ioctl")
    let first = try String(contentsOf: requests, encoding: .utf8).prefix { $0 != "\n" }
    return description + ["-i", "\(first.dropFirst("@DEV ".count))=\(requests.path)"]
  }

  private func description() throws -> String {
    try String(contentsOf: folder.appendingPathComponent("device"), encoding: .utf8)
  }

  /// The value of `--driver`, or nil where no driver of the project handles the reader.
  func driver(among drivers: [JSONValue]) throws -> String? {
    guard way == .native else { return "libfprint:emulation=1" }
    let model = try model()
    let name = drivers.first { driver in
      driver["devices"]?.array?.contains { $0.string == model } == true
    }?["name"]?.string
    // The one driver that is random: libfprint's generator gave this in the recorded run
    // (devices/uru4000.md).
    return name == "uru4000" ? "uru4000:seed=0x51EA2124" : name
  }
}
