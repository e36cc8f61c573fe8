import Glibc
import LinuxSystem
import PluginHosting
package import Protocol

package struct CoreArguments: Equatable, Sendable {
  /// The absolute path of the state folder.
  package var home = ""
  /// Where the starter waits for one message.
  package var readyDescriptor: Int32?
  /// Seconds without proof of the owner (a match, a correct passcode) after which the device locks;
  /// nil to use what the owner has set.
  package var lockAfter: UInt32?
  /// Whether the core ends when it is idle.
  package var isOnDemand = false
  /// Whether it is the machine's service, whose state folder systemd names.
  package var isService = false

  /// Reads the arguments after the program's name.
  /// - Throws: `usage`; ``readyDescriptor`` is lost then, see ``readyDescriptor(in:)``.
  package init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--on-demand": isOnDemand = true
      case "--service": isService = true
      case "--home": home = try Self.value(of: option, &rest)
      case "--ready-fd":
        readyDescriptor = try Self.number(of: option, &rest, in: 3...65_535)
      case "--lock-after":
        lockAfter = UInt32(try Self.number(of: option, &rest, in: 1...604_800))
      default:
        throw Failure(
          .usage, "authcored does not know \(option)",
          hint:
            "authcored --home DIR [--ready-fd N] [--lock-after SECONDS] [--on-demand], or authcored --service [--lock-after SECONDS]"
        )
      }
    }
    if isService {
      guard home.isEmpty, readyDescriptor == nil, !isOnDemand else {
        throw Failure(
          .usage, "authcored --service takes no --home, --ready-fd or --on-demand",
          hint: "systemd names its folder (StateDirectory=) and gives it its socket")
      }
      return
    }
    guard home.hasPrefix("/") else {
      throw Failure(
        .usage, "authcored needs the absolute path of a state folder",
        hint: "authcored --home DIR; people use authcore serve")
    }
  }

  /// The descriptor to report to, from arguments that may otherwise be wrong.
  package static func readyDescriptor(in arguments: [String]) -> Int32? {
    guard let index = arguments.firstIndex(of: "--ready-fd") else { return nil }
    var rest = arguments[(index + 1)...]
    do throws(Failure) {
      return try number(of: "--ready-fd", &rest, in: 3...65_535)
    } catch {
      return nil
    }
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(Failure) -> String {
    guard let value = rest.popFirst() else { throw Failure(.usage, "\(option) needs a value") }
    return value
  }

  private static func number(
    of option: String, _ rest: inout ArraySlice<String>, in range: ClosedRange<Int32>
  ) throws(Failure) -> Int32 {
    let text = try value(of: option, &rest)
    guard let number = Int32(text), range.contains(number) else {
      throw Failure(
        .usage,
        "\(option) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
    }
    return number
  }
}

/// Tells the starter of the core, once, that it serves or why it does not.
package struct StartReport: Sendable {
  private let descriptor: Int32?

  /// - Parameter descriptor: a pipe or socket; nil to print a failure on standard error.
  package init(to descriptor: Int32?) { self.descriptor = descriptor }

  func send(_ ready: CoreReady) {
    guard let descriptor else { return }
    Self.write(ready.encoded(), to: descriptor)
  }

  package func send(_ resolved: ResolvedDriver) {
    guard let descriptor else { return }
    Self.write(resolved.encoded(), to: descriptor)
  }

  /// Reports why the core does not serve.
  /// - Returns: the exit status of the process.
  package func send(_ failure: Failure) -> Int32 {
    if let descriptor {
      Self.write(failure.encoded(), to: descriptor)
    } else {
      CoreLog.write(failure.message)
      if let hint = failure.hint { CoreLog.write(hint, prefix: "hint") }
    }
    return failure.code.exitCode
  }

  /// Writes one message and closes the descriptor. If that fails the reader is gone.
  private static func write(_ message: borrowing SecretBytes, to descriptor: Int32) {
    let count = UInt32(message.count)
    var bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    bytes += message.copied
    _ = DescriptorBytes.write(bytes.span, to: descriptor)
    close(descriptor)
  }
}

/// `authcored --resolve-driver`: tells a client which driver and options are meant, and ends.
package struct DriverResolution: Equatable, Sendable {
  private var driver = ""
  private var folder = ""
  private var descriptions: String?

  package static let option = "--resolve-driver"

  /// Reads the arguments after the program's name.
  /// - Throws: `usage`.
  package init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Failure(.usage, "\(option) needs a value") }
      switch option {
      case Self.option: driver = value
      case "--relative-to": folder = value
      case "--descriptions": descriptions = value
      case "--ready-fd": break
      default:
        throw Failure(
          .usage, "authcored does not know \(option) beside \(Self.option)",
          hint: "authcored \(Self.option) NAME --relative-to DIR [--descriptions FILE]")
      }
    }
    guard folder.hasPrefix("/") else {
      throw Failure(.usage, "authcored \(Self.option) needs the absolute path of --relative-to")
    }
  }

  package func resolve() throws(Failure) -> ResolvedDriver {
    let chosen = try ChosenDriver(
      parsing: driver, relativeTo: folder,
      in: DriverCatalog(.current(isService: false), cacheFile: descriptions))
    let options = chosen.passedOptions
    return ResolvedDriver(
      driver: chosen.driver.path,
      options: options.map {
        DriverOption(name: $0.name, value: $0.value, hasDescriptor: $0.file != nil)
      },
      files: options.compactMap(\.file), isSynthetic: chosen.isSynthetic)
  }
}
