import CoreClient
import PluginHosting
import Protocol
import Synchronization

/// The driver that `--driver` names: whether it can be used, has a device, and opens it.
struct NamedDriver {
  let findings: [Finding]
  /// The driver; nil where none was named, or it is not usable.
  let driver: ChosenDriver?
  /// Whether it was found, and its options make sense.
  let isUsable: Bool

  /// - Parameters:
  ///   - invocation: names it, or none.
  ///   - installation: where its host is found.
  init(_ invocation: Invocation, in installation: Installation) {
    do throws(Failure) {
      let chosen = try invocation.chosenDriver()
      findings = chosen.map { Self.findings($0, installation) } ?? []
      driver = chosen
      isUsable = true
    } catch {
      driver = nil
      findings = [.problem("driver", error)]
      isUsable = false
    }
  }

  private static func findings(
    _ chosen: ChosenDriver, _ installation: Installation
  ) -> [Finding] {
    let description = chosen.driver.description
    let driver = Finding.good(
      "driver", "\(description.name), version \(description.version) (\(chosen.driver.path))")
    do throws(Failure) {
      return try [driver] + device(chosen, installation)
    } catch {
      return [driver, .problem("device", error)]
    }
  }

  /// Opens the device and lets go of it.
  private static func device(
    _ chosen: ChosenDriver, _ installation: Installation
  ) throws(Failure) -> [Finding] {
    let source = try chosen.source(in: installation)
    let name = source?.text ?? "its own"
    // What is said while the device is opened comes on this thread.
    let warnings = Mutex<[String]>([])
    var findings: [Finding]
    do throws(Failure) {
      let session = try SensorSession(
        chosen.driver, options: chosen.options, source: source, in: installation
      ) { level, text in
        if level >= .warning { warnings.withLock { $0.append(text) } }
      }
      session.close()
      findings = [.good("device", name + ": it opens" + words(of: session.identity))]
    } catch {
      findings = [
        error.code == .busy
          ? .remark("device", name + ": " + error.message, remedy: error.hint)
          : .problem("device", error)
      ]
    }
    return findings
      + warnings.withLock { $0 }.suffix(mostWarnings).map { .remark("log", $0, remedy: nil) }
  }

  /// What the open device says of itself, where its driver's description holds for several.
  private static func words(of identity: SensorIdentity?) -> String {
    guard let identity else { return "" }
    let size = PictureSize(
      width: identity.width, height: identity.height, pixelsPerInch: identity.pixelsPerInch)
    let versions = [("firmware", identity.firmware), ("serial number", identity.serial)]
      .filter { !$0.1.isEmpty }.map { ", \($0.0) \($0.1.printable)" }
    return ", \(identity.scanType), \(size.text)" + versions.joined()
  }

  /// The last ones tell why.
  private static let mostWarnings = 5
}
