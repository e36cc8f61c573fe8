/// Has the service serve another user on this connection from here on, as a module of PAM needs it
/// for whoever is to log in. Reply: ``Done``.
///
/// Right after ``Hello``, and for a client of root only: anybody else gets
/// `errSecMissingEntitlement`.
package struct ServeUser: WireMessage, Equatable {
  package static var number: UInt8 { 61 }

  /// The user's number.
  package let user: UInt32

  package init(user: UInt32) { self.user = user }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(user) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) { user = try decoder.read() }
}

/// Hands the service the next bytes of a file of a state folder that a core on demand had.
/// ``GiveStateFile`` says which file they are. Reply: ``Done``.
package struct GiveStateBytes: WireMessage, Equatable {
  package static var number: UInt8 { 74 }

  /// Most bytes of one message.
  package static var most: Int { 64 << 10 }

  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(bytes) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) { bytes = try decoder.read() }
}

/// Says which file of a state folder the bytes are that came before (``GiveStateBytes``). No
/// descriptor travels with it: the service takes none from anybody. Reply: ``Done``. Failure:
/// `errSecDuplicateItem` where the user has state in the service.
package struct GiveStateFile: WireMessage, Equatable {
  package static var number: UInt8 { 72 }

  /// Where in the state folder it lies.
  package let part: StatePart
  package let name: String

  package init(part: StatePart, name: String) {
    self.part = part
    self.name = name
  }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(part, name) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (part, name) = try decoder.read()
  }
}

/// A folder in a state folder.
package enum StatePart: UInt8, CaseIterable, WireField {
  case enclave = 1
  case keychain = 2

  /// The folder's name.
  package var folder: String {
    switch self {
    case .enclave: "enclave"
    case .keychain: "keychain"
    }
  }

  /// The files that make up a state. What else lies there stays behind: what was put aside, what is
  /// made anew, and the mark of an enclave that destroys itself.
  package var files: [String] {
    switch self {
    case .enclave:
      ["attempts", "keybag", "root.key"]
        + (1...5).flatMap { ["finger-\($0)", "adapted-\($0)"] }
    case .keychain: ["keychain.sqlite", "keychain.sqlite-wal"]
    }
  }
}

/// Has the service take the files that were handed over as the user's state, all of them. Reply:
/// ``Done``; every connection of the user ends behind it, and the next one finds the state that
/// was taken, before first unlock.
package struct AdoptState: WireMessage, Equatable {
  package static var number: UInt8 { 73 }

  package init() {}

  package borrowing func encode(into encoder: inout WireEncoder) {}

  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}

/// Asks the service what of its own stands in the way of whoever asks. Reply: ``ServiceTroubles``; of
/// a core on demand an empty one.
package struct GetServiceTroubles: WireMessage, Equatable {
  package static var number: UInt8 { 66 }

  package init() {}

  package borrowing func encode(into encoder: inout WireEncoder) {}

  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}

/// Something that is wrong with the service or its policy.
package struct ServiceTrouble: Equatable, WireField {
  /// What was looked at.
  package let subject: String
  /// One sentence, without a full stop.
  package let text: String
  /// What whoever runs the machine can do about it.
  package let remedy: String?
  /// Something does not work; else it is to be known.
  package let isProblem: Bool

  package init(subject: String, text: String, remedy: String?, isProblem: Bool) {
    self.subject = subject
    self.text = text
    self.remedy = remedy
    self.isProblem = isProblem
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(subject, text, remedy, isProblem)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (subject, text, remedy, isProblem) = try decoder.read()
  }
}

/// What is wrong with the service, in the order in which to mend it.
package struct ServiceTroubles: WireMessage, Equatable {
  package static var number: UInt8 { 67 }

  package let troubles: [ServiceTrouble]

  package init(_ troubles: [ServiceTrouble]) { self.troubles = troubles }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(troubles) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    troubles = try decoder.read()
  }
}
