import Protocol

/// Which fingers there are, and which there may be.
extension Keybag {
  /// A finger by its identifier or its name.
  func finger(_ text: String) throws(Failure) -> FingerRecord {
    guard
      let finger = fingers.first(where: { $0.identifierText == text })
        ?? fingers.first(where: { $0.name == text })
    else {
      throw Failure(
        .fingerNotFound, "no finger \(text) is enrolled", hint: "list them: authcore finger list")
    }
    return finger
  }

  /// A slot without a finger.
  var freeSlot: UInt8? {
    (1...UInt8(Self.mostFingers)).first { slot in !fingers.contains { $0.slot == slot } }
  }

  /// The first of `finger-1` … `finger-6` that is not taken.
  var freeName: String {
    let names = (1...Self.mostFingers + 1).map { "finger-\($0)" }
    return names.first { name in !fingers.contains { $0.name == name } } ?? "finger"
  }

  /// The same fingers, one of them by another name.
  func renaming(_ finger: FingerRecord, to name: String) throws(Failure) -> Keybag {
    try refuseName(name, except: finger)
    var next = self
    for index in fingers.indices where fingers[index].identifier == finger.identifier {
      next.fingers[index].name = name
    }
    return next
  }

  /// Refuses one finger more than there may be, and a name that none may have; empty: one is
  /// chosen.
  func refuseFinger(named name: String) throws(Failure) {
    guard fingers.count < Self.mostFingers else { throw .tooManyFingers }
    if !name.isEmpty { try refuseName(name, except: nil) }
  }

  /// A name is one to so many characters of a line, not taken, and not what an identifier looks like.
  private func refuseName(_ name: String, except finger: FingerRecord?) throws(Failure) {
    let isLine = !name.unicodeScalars.contains(where: \.isSteering)
    let isIdentifier = name.count == 8 && name.allSatisfy { $0.isHexDigit }
    guard 1...Finger.mostNameCharacters ~= name.count, name.utf8.count <= Finger.longestName,
      isLine, !isIdentifier
    else {
      throw Failure(
        .errSecParam, "this cannot be the name of a finger",
        hint: """
          use 1 to \(Finger.mostNameCharacters) characters on one line, not eight hexadecimal digits and nothing that changes \
          the direction of writing
          """)
    }
    let isTaken = fingers.contains { $0.name == name && $0.identifier != finger?.identifier }
    guard !isTaken else {
      throw Failure(
        .errSecParam, "a finger named \(name) is enrolled already", hint: "choose another name")
    }
  }
}
