import CoreClient
import Protocol

extension Terminal {
  /// Asks for a secret, typed without echo and ended with Enter.
  /// - Throws: `userCancel` for Escape or the end of input, `appCancel` for a signal,
  ///   `notInteractive` if the command is in the background, or another program reads keys, too.
  func askSecret(
    _ question: String, _ output: Output, _ interrupts: Interrupts
  ) throws(Failure) -> SecretBytes {
    try silently(interrupts) { () throws(Failure) in
      try typedSecret(question, output, interrupts)
    }
  }

  /// Asks for a new secret until it is typed twice alike and is not empty.
  func askNewSecret(
    _ question: String, again: String = "The same again: ", _ output: Output,
    _ interrupts: Interrupts
  ) throws(Failure) -> SecretBytes {
    try silently(interrupts) { () throws(Failure) in
      while true {
        guard let first = try typedSecret(question, output, interrupts) else { return nil }
        guard first.count > 0 else {
          output.display(on: self).line("It cannot be empty.")
          continue
        }
        guard let second = try typedSecret(again, output, interrupts) else { return nil }
        if first.isEqual(to: second.bytes) { return first }
        output.display(on: self).line("The two are not the same. Try again.")
      }
    }
  }

  /// Asks a question whose answer may be seen.
  func ask(
    _ question: String, _ output: Output, _ interrupts: Interrupts
  ) throws(Failure) -> String {
    let display = output.display(on: self)
    return try interrupts.listening { () throws(Failure) in
      forgetTyped()
      display.ask(question)
      var answer: [UInt8] = []
      while true {
        switch try interrupts.wait(for: descriptor) {
        case .resize: continue
        case .suspend:
          display.keep()
          try interrupts.suspend(asking: self)
          // The terminal drops an unfinished line.
          answer = []
          display.ask(question)
          continue
        case .readable: break
        }
        guard let bytes = read() else { throw end(interrupts) }
        for index in 0..<bytes.count { answer.append(bytes.bytes.bytes[index]) }
        if answer.last == 0x0A {
          display.forget()
          return String(decoding: answer.dropLast(), as: UTF8.self)
        }
      }
    }
  }

  /// Runs `body` without echo. `body` returns nil to suspend the command, and runs again
  /// afterwards.
  private func silently(
    _ interrupts: Interrupts, _ body: () throws(Failure) -> SecretBytes?
  ) throws(Failure) -> SecretBytes {
    try interrupts.listening { () throws(Failure) in
      while true {
        if let secret = try silentlyOnce(body) { return secret }
        try interrupts.suspend(asking: self)
      }
    }
  }

  private func silentlyOnce(
    _ body: () throws(Failure) -> SecretBytes?
  ) throws(Failure) -> SecretBytes? {
    guard !hasOtherReader else { throw .terminalIsShared }
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

  /// - Returns: nil to suspend the command.
  private func typedSecret(
    _ question: String, _ output: Output, _ interrupts: Interrupts
  ) throws(Failure) -> SecretBytes? {
    let display = output.display(on: self)
    display.ask(question)
    defer { display.keep() }
    var typed = TypedSecret()
    while true {
      switch try interrupts.wait(for: descriptor) {
      case .readable: break
      case .suspend: return nil
      case .resize:
        display.redraw()
        continue
      }
      guard let bytes = read() else { throw end(interrupts) }
      for key in Key.keys(in: bytes.bytes.bytes.extracting(first: bytes.count)) {
        switch key {
        case .byte(let byte): typed.append(byte)
        case .backspace: typed.removeLast()
        case .eraseAll: typed.removeAll()
        case .enter:
          // Otherwise half of a secret would be stored without anybody knowing.
          guard !typed.isCut else {
            throw .usage(
              TypedSecret.tooLong, hint: "Give what is longer in a file or on standard input.")
          }
          return typed.take()
        case .end where typed.count > 0: continue
        case .end, .escape: throw Self.cancelled
        case .interrupt:
          _ = interrupts.takes(.interrupt)
          throw Interrupts.interrupted
        case .suspend: if interrupts.takes(.suspend) { return nil }
        }
      }
    }
  }

  /// What the end of input means.
  private func end(_ interrupts: Interrupts) -> Failure {
    guard isGone else { return Self.cancelled }
    _ = interrupts.takes(.hangUp)
    return Interrupts.interrupted
  }

  private static var cancelled: Failure { Failure(.userCancel, "Cancelled") }
}
