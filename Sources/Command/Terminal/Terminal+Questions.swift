import Glibc
import Wire

extension Terminal {
  /// Asks for a secret, which is typed without echo and ended with Enter.
  /// - Throws: `userCancel` for Escape or the end of the terminal, `appCancel` for a signal.
  func askSecret(
    _ question: String, _ output: Output, _ interrupts: Interrupts
  ) throws(Failure) -> SecretBytes {
    try silently(interrupts) { () throws(Failure) in
      try typedSecret(question, output, interrupts)
    }
  }

  /// Asks for a new secret twice, until both are the same and not empty.
  func askNewSecret(
    _ question: String, again: String, _ output: Output, _ interrupts: Interrupts
  ) throws(Failure) -> SecretBytes {
    try silently(interrupts) { () throws(Failure) in
      while true {
        let first = try typedSecret(question, output, interrupts)
        guard first.count > 0 else {
          output.display(on: self).line("It cannot be empty.")
          continue
        }
        let second = try typedSecret(again, output, interrupts)
        if first.isEqual(to: second.bytes) { return first }
        output.display(on: self).line("The two are not the same; once more.")
      }
    }
  }

  /// Asks a question whose answer may be seen.
  func ask(
    _ question: String, _ output: Output, _ interrupts: Interrupts
  ) throws(Failure) -> String {
    let display = output.display(on: self)
    display.ask(question)
    var answer: [UInt8] = []
    while true {
      try interrupts.awaitReadable(descriptor)
      guard let bytes = read() else { throw Self.cancelled }
      for index in 0..<bytes.count { answer.append(bytes.bytes.bytes[index]) }
      if answer.last == 0x0A {
        display.forget()
        return String(decoding: answer.dropLast(), as: UTF8.self)
      }
    }
  }

  private func silently(
    _ interrupts: Interrupts, _ body: () throws(Failure) -> SecretBytes
  ) throws(Failure) -> SecretBytes {
    try interrupts.listening { () throws(Failure) in
      guard var mode = SilentMode(self) else {
        throw Failure(.notInteractive, "The terminal cannot hide what is typed")
      }
      do throws(Failure) {
        return try body()
      } catch {
        mode.discardsInput = true
        throw error
      }
    }
  }

  private func typedSecret(
    _ question: String, _ output: Output, _ interrupts: Interrupts
  ) throws(Failure) -> SecretBytes {
    let display = output.display(on: self)
    display.ask(question)
    defer { display.keep() }
    var typed = TypedSecret()
    while true {
      try interrupts.awaitReadable(descriptor)
      guard let bytes = read() else { throw Self.cancelled }
      for key in Key.keys(in: bytes.bytes.bytes.extracting(first: bytes.count)) {
        switch key {
        case .byte(let byte): typed.append(byte)
        case .backspace: typed.removeLast()
        case .eraseAll: typed.removeAll()
        case .enter:
          // Half of a secret would be stored, or set, without anybody knowing.
          guard !typed.isCut else {
            throw Failure(
              .usage, "At most \(TypedSecret.limit) bytes can be typed",
              hint: "Give what is longer in a file or on standard input.")
          }
          return typed.take()
        case .end where typed.count > 0: continue
        case .end, .escape: throw Self.cancelled
        case .interrupt:
          interrupts.takeKey()
          throw Interrupts.interrupted
        }
      }
    }
  }

  private static var cancelled: Failure { Failure(.userCancel, "Cancelled") }
}
