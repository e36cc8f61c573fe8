package import Protocol

/// The command line of `authcored`.
package struct CoreArguments: Equatable, Sendable {
  /// The state folder, absolute.
  package var home = ""
  /// Who started it waits here for one message.
  package var readyDescriptor: Int32?
  /// Seconds without proof of the owner (a match, a correct passcode) after which the device is
  /// locked, in place of what the owner has set; nil: as that says.
  package var lockAfter: UInt32?
  /// Whether the core ends by itself.
  package var isOnDemand = false
  /// Whether it is the service of the machine, whose state folder systemd names.
  package var isService = false

  /// Reads the arguments after the program's name.
  /// - Throws: `usage`; ``readyDescriptor`` of what was read before is lost then, see
  ///   ``readyDescriptor(in:)``.
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

  /// The descriptor to report to, from arguments that may be wrong otherwise.
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
