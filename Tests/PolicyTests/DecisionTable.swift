import Protocol

/// A decision table as a person writes it: a heading of column names, then a row of cells and,
/// behind `=>`, the outcome.
///
/// A cell is `*` (anything), a value, several joined by `|`, or all but those behind `!`. Rows have
/// no order: a question that no row or more than one row answers is a mistake in the table, which
/// `outcome(of:)` reports.
struct DecisionTable: Sendable {
  private struct Row {
    var mask: UInt64
    var outcome: String
  }
  private let rows: [Row]

  init(_ text: String) {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let heading = lines[0]
    rows = lines.dropFirst().map { cells in
      precondition(cells.count == heading.count + 2 && cells[heading.count] == "=>", "\(cells)")
      var mask = UInt64.max
      for (name, cell) in zip(heading, cells) {
        mask &= Facts.mask(of: cell, in: name)
      }
      return Row(mask: mask, outcome: cells[heading.count + 1])
    }
  }

  /// What the table says, or a complaint about the table.
  func outcome(of facts: Facts) -> String {
    var found: String?
    for row in rows where facts.bits & ~row.mask == 0 {
      if let found { return "two rows: \(found) and \(row.outcome)" }
      found = row.outcome
    }
    return found ?? "no row"
  }
}

/// The conditions the tables speak of, one bit for each value of each.
struct Facts: Sendable {
  private static let columns: [(name: String, values: [String])] = [
    ("reason", ["no", "yes"]),
    ("passcode", ["unset", "set"]),
    (
      "event",
      [
        "none", "matched", "missed", "accepted", "refused", "cancelled", "fallback", "timedOut",
        "lost", "exhausted", "interrupted", "given",
      ]
    ),
    ("misses", ["few", "three"]),
    ("wrong", ["none", "few", "three"]),
    ("wrongOwn", ["none", "few", "three"]),
    ("biometry", ["absent", "unenrolled", "lockout", "ready", "unseen"]),
    ("lockout", ["no", "yes"]),
    ("device", ["unlocked", "locked"]),
    ("armed", ["no", "yes"]),
    ("prompt", ["no", "yes"]),
    ("giver", ["no", "yes"]),
    ("button", ["hidden", "shown"]),
  ]

  private(set) var bits: UInt64 = 0
  /// Where the bits of the next column begin; the columns are chosen in their order.
  private var columnStart = 0

  init(_ question: PolicyQuestion) {
    let device = question.device
    let client = question.client
    let progress = question.progress
    choose(client.hasReason)
    choose(device.isPasscodeSet)
    choose(Int(progress.lastEvent.rawValue) - 1, of: 12)
    choose(progress.misses >= 3)
    choose(Self.refusals(progress.refusedPasscodes), of: 3)
    choose(Self.refusals(progress.refusedAppPasswords), of: 3)
    let biometry = Self.biometry(of: device)
    // A finger would be recognized, and no touch of one may be awaited.
    let isUnseen = biometry == 3 && client.mayPrompt && !client.mayTouch
    choose(isUnseen ? 4 : biometry, of: 5)
    choose(device.isLockedOut)
    choose(device.isLocked)
    choose(device.isBiometricUnlockArmed)
    choose(client.mayPrompt)
    choose(client.canGivePasscode)
    choose(!client.hidesFallback)
  }

  private static func refusals(_ count: UInt32) -> Int { count == 0 ? 0 : count < 3 ? 1 : 2 }

  private static func biometry(of device: DeviceState) -> Int {
    guard device.hasSensor else { return 0 }
    guard device.fingers > 0, device.isPasscodeSet else { return 1 }
    return device.isLockedOut || !device.isFirstUnlocked ? 2 : 3
  }

  private mutating func choose(_ value: Int, of count: Int) {
    bits |= 1 << UInt64(columnStart + value)
    columnStart += count
  }

  private mutating func choose(_ condition: Bool) { choose(condition ? 1 : 0, of: 2) }

  /// The bits a cell permits; those of all other columns are set.
  static func mask(of cell: String, in name: String) -> UInt64 {
    var start = 0
    for column in columns {
      defer { start += column.values.count }
      guard column.name == name else { continue }
      let all = ((UInt64(1) << UInt64(column.values.count)) - 1) << UInt64(start)
      guard cell != "*" else { return .max }
      var named: UInt64 = 0
      for value in cell.drop(while: { $0 == "!" }).split(separator: "|") {
        guard let index = column.values.firstIndex(of: String(value)) else {
          preconditionFailure("\(name) is never \(value)")
        }
        named |= 1 << UInt64(start + index)
      }
      return ~all | (cell.hasPrefix("!") ? all & ~named : named)
    }
    preconditionFailure("no column \(name)")
  }
}

extension PolicyStep.Action {
  /// As the tables write it.
  var text: String {
    switch self {
    case .succeed: "succeed"
    case .fail(let failure): "\(failure.code)"
    case .awaitTouch(let fallback): "touch/\(fallback)"
    case .awaitPasscode: "passcode"
    case .awaitAppPassword: "appPassword"
    }
  }
}
