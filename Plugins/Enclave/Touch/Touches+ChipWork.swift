import Protocol

/// Work of a chip without a finger.
struct ChipWorkProgress: Sendable {
  let work: ChipWork
  /// What removes the fingers of a chip that is cleared.
  let generationsKey: HeldKey?
  /// The templates to remove, once they are listed.
  var unwanted: HeldSecret?
}

extension Touches {
  func beginWork(_ request: BeginChipWork) throws(Failure) {
    let channel = try requireFree(request.session, on: request.channel)
    guard let chip = channel.chip else {
      throw Failure(
        .unsupported, "this reader delivers images and stores no templates",
        hint: "list the enrolled fingers: authcore finger list")
    }
    var key: HeldKey?
    if request.work == .clear {
      key = try evidence.requirePasscode(request.context).generationsKey
      evidence.spendPasscode(in: request.context)
    }
    begin(
      request.session,
      TouchSession(
        channel: request.channel, source: channel.source, chip: chip,
        context: request.context.number,
        purpose: .chipWork(ChipWorkProgress(work: request.work, generationsKey: key))))
  }

  func take(
    _ heard: borrowing Heard, _ number: UInt64, _ progress: ChipWorkProgress, _ chip: ChipDevice
  ) throws(Failure) {
    guard heard.result == .done else {
      throw Failure(.driverFailed, "the reader's driver did something else than it was told")
    }
    let sorted = sort(heard.listed, of: chip)
    let contents = ReaderContents(
      own: UInt32(sorted.own.count), leftovers: UInt32(sorted.leftovers.count),
      others: UInt32(sorted.others), capacity: chip.summary.capacity)
    if progress.unwanted == nil, progress.work != .list {
      let unwanted = HeldSecret(
        progress.work == .tidy
          ? sorted.leftovers.finish() : SecretBytes(copying: heard.listed.bytes.bytes))
      if unwanted.bytes.count > 0 {
        var next = progress
        next.unwanted = unwanted
        update(number, .chipWork(next))
        return emit(number, .chip(contents, isLast: false))
      }
    }
    endSession(number)
    if progress.work != .list { try forgetRemoved(from: chip, progress, heard.listed.count) }
    emit(number, .chip(contents, isLast: true))
  }

  /// Forgets what the chip does not hold any more.
  private func forgetRemoved(
    from chip: ChipDevice, _ progress: ChipWorkProgress, _ left: Int
  ) throws(Failure) {
    let leftovers = state.keybag.leftovers.filter { $0.device != chip.identity }
    let fingers = state.keybag.fingers.filter { $0.chip?.device != chip.identity }
    if progress.work == .clear, left == 0, fingers.count < state.keybag.fingers.count {
      return try replaceFingers(
        fingers, leaving: leftovers, renewingWith: progress.generationsKey)
    }
    if leftovers.count < state.keybag.leftovers.count { try keep(leftovers: leftovers) }
  }

  /// The templates of a chip by whose they are.
  struct Sorted: ~Copyable {
    var own: Set<UInt32> = []
    var leftovers: ChipNames
    var others = 0
  }

  func sort(_ names: borrowing ChipNames, of chip: ChipDevice) -> Sorted {
    let leftovers = state.keybag.leftovers.filter { $0.device == chip.identity }
    let fingers = state.keybag.fingers.filter { $0.chip?.device == chip.identity }
    var sorted = Sorted(leftovers: ChipNames(capacity: names.count))
    names.forEach { span in
      let name = SecretBytes(copying: span)
      if let finger = fingers.first(where: { $0.chip?.opens(with: name, state) == true }) {
        sorted.own.insert(finger.identifier)
      } else if leftovers.contains(where: { $0.opens(with: name, state) }) {
        sorted.leftovers.append(span)
      } else {
        sorted.others += 1
      }
    }
    return sorted
  }
}
