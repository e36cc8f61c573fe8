import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// Takes a state that a user had in a folder of their own into the service, all of it or nothing.
///
/// Files are gathered in one folder beside the user's state, whose name changes when all are there and
/// on the disk: that is the moment from which they are the user's. The next core of the user moves
/// them to their places before its engines look (``finish()``), as often as it takes.
///
/// A user can write anything into these files. Only those of ``StatePart/files`` are taken; the
/// keychain makes a database of its own of the rows of the one that was handed over
/// (``rebuildDatabase(from:by:)``); and a root key that is in a TPM is refused, because the enclave
/// would act on what the TPM has of others.
final class StateAdoption: Sendable {
  private struct State {
    /// The connection that hands files over; nil: none does, or it has ended before all were there.
    weak var giver: (any AnyObject & Sendable)?
    var files = 0
    var bytes = 0
  }

  /// The user's state folder, absolute.
  private let folder: String
  private let state = Mutex(State())

  private var gathered: String { folder + "/incoming" }
  private var whole: String { folder + "/adopted" }

  /// How many files there may be, and how long all together.
  private static let most = (
    files: StatePart.allCases.reduce(0) { $0 + $1.files.count }, bytes: HandedOverFile.most
  )
  /// What lies in the keychain's folder while a state is gathered.
  private static let waiting = [CopyDatabase.source, CopyDatabase.target].flatMap { name in
    ["", "-wal", "-shm", "-journal"].map { name + $0 }
  }
  /// Says that what lies at the engines' places was never used.
  private static let replacing = "replacing"

  /// What comes next.
  let arriving: HandedOverFile

  init(folder: String) {
    self.folder = folder
    arriving = HandedOverFile(folder: folder)
  }

  // MARK: Gathering

  static var anotherMoves: Failure {
    Failure(
      .busy, "another program is moving a state into the service",
      hint: "let it end, and run the command again")
  }

  static var tooLarge: Failure {
    Failure(
      .unsupported, "the state folder is too large to be taken into the service", hint: wayOut)
  }

  /// Takes one file of a state. The files of one come over one connection.
  /// - Throws: `busy` where another one hands over a state, `usage`, `unsupported`, `storageFailed`.
  func take(
    _ file: consuming Descriptor, _ part: StatePart, _ name: String,
    from giver: any AnyObject & Sendable
  ) throws(Failure) {
    let number = file.number
    try state.withLock { (state) throws(Failure) in
      guard part.files.contains(name) else {
        throw Failure(
          .usage, "a state that can be moved has no such file: \(name.withoutSteering)",
          hint: "what else is in the folder stays there")
      }
      let count = try Self.size(of: number, name)
      if let other = state.giver, other !== giver {
        throw Self.anotherMoves
      }
      if state.giver == nil {
        try discardGathered()
        state = State(giver: giver)
        try StateFiles.make(gathered)
        try StateFiles.make(gathered + "/" + StatePart.enclave.folder)
        if !StateFiles.isThere(keychain) { try StateFiles.make(keychain) }
      }
      state.files += 1
      state.bytes += count
      guard state.files <= Self.most.files, state.bytes <= Self.most.bytes else {
        throw Self.tooLarge
      }
      try StateFiles.copy(number, count, to: place(of: name, part))
    }
  }

  private var keychain: String { folder + "/" + StatePart.keychain.folder }

  /// Where a file that was handed over waits. The keychain reads its own from its folder.
  private func place(of name: String, _ part: StatePart) -> String {
    switch part {
    case .enclave: "\(gathered)/\(part.folder)/\(name)"
    case .keychain:
      "\(keychain)/\(CopyDatabase.source)\(name.dropFirst("keychain.sqlite".count))"
    }
  }

  private func discardGathered() throws(Failure) {
    try StateFiles.remove(gathered)
    for name in Self.waiting { _ = unsafe unlink(keychain + "/" + name) }
  }

  /// What was handed over so far is not taken in; the next file is the first of another state.
  func stopGathering() {
    state.withLock { state in
      state.giver = nil
      do throws(Failure) {
        try discardGathered()
      } catch {
        // The next file, or the next core, removes it.
      }
    }
  }

  /// - Throws: `usage` where nothing was handed over, by this connection, that is a state.
  func requireState(from giver: AnyObject) throws(Failure) {
    try state.withLock { (state) throws(Failure) in
      try requireState(state, from: giver)
    }
  }

  private func requireState(_ state: State, from giver: AnyObject) throws(Failure) {
    let enclave = gathered + "/" + StatePart.enclave.folder
    guard state.giver === giver, StateFiles.isThere(enclave + "/keybag"),
      let rootKey = SmallFile.contents(
        of: enclave + "/" + RootKeyFile.name, limit: RootKeyFile.limit)
    else {
      throw Failure(.usage, "no state was handed over that could be taken in")
    }
    switch RootKeyFile.place(rootKey.span) {
    case .file: return
    case .tpm:
      throw Failure(
        .unsupported, "the root key of what was handed over is in a TPM",
        hint: "take it out first: authcore --home DIR root-key migrate --to file")
    case nil:
      throw Failure(
        .stateDamaged, "the root key of what was handed over is none that this version knows",
        hint: Self.wayOut)
    }
  }

  /// Has the keychain make a database of the rows that were handed over, which `copy` does.
  /// - Throws: as ``requireState(from:)``, and what `copy` throws.
  func rebuildDatabase(
    from giver: AnyObject, by copy: () throws(Failure) -> Void
  ) throws(Failure) {
    try requireState(from: giver)
    if StateFiles.isThere(keychain + "/" + CopyDatabase.source) { try copy() }
  }

  /// All files are there, and what the user has here was never used and does not change any more: it
  /// is replaced.
  /// - Throws: `usage` as ``requireState(from:)``, as ``requireNothingKept()``, `storageFailed`.
  func complete(from giver: AnyObject) throws(Failure) {
    try state.withLock { (state) throws(Failure) in
      try requireNothingKept()
      try requireState(state, from: giver)
      let place = gathered + "/" + StatePart.keychain.folder
      try StateFiles.make(place)
      if StateFiles.isThere(keychain + "/" + CopyDatabase.source) {
        try StateFiles.rename(keychain + "/" + CopyDatabase.target, to: place + "/keychain.sqlite")
      }
      state.giver = nil
      try StateFiles.make(gathered + "/" + Self.replacing)
      for part in StatePart.allCases { try StateFiles.synchronize(gathered + "/" + part.folder) }
      try StateFiles.synchronize(gathered)
      try StateFiles.rename(gathered, to: whole)
      try StateFiles.synchronize(folder)
    }
  }

  /// Nobody's state is ever replaced, unless nothing was ever kept in it: an enclave has files once it
  /// has been asked for an item that is not there.
  static var secondState: Failure {
    Failure(
      .errSecDuplicateItem, "you have a keychain in the service of this machine already",
      hint: wayOut)
  }

  private static let wayOut =
    "items go there by a backup: authcore --home DIR backup create FILE, authcore backup restore FILE"

  /// - Throws: `errSecDuplicateItem` where another state was taken in, or something lies here that no
  ///   unused state has; it is named.
  func requireNothingKept() throws(Failure) {
    guard !StateFiles.isThere(whole) else { throw Self.secondState }
    for part in StatePart.allCases { try requireNothingKept(of: part) }
  }

  private func requireNothingKept(of part: StatePart) throws(Failure) {
    let place = folder + "/" + part.folder
    guard let name = try StateFiles.names(in: place).first(where: { !Self.isUnused($0, of: part) })
    else { return }
    throw Failure(
      .errSecDuplicateItem,
      "what you have in the service of this machine keeps \(place)/\(name.withoutSteering), which would be lost",
      hint: Self.wayOut)
  }

  /// Whether a state has a file before it is used. Others lie beside these, and were promised to be
  /// kept, though neither passcode nor item is left: what is bound to another TPM (`aside-1.keybag`),
  /// a database that was damaged or has lost its enclave (`keychain.sqlite.lost-1`).
  private static func isUnused(_ name: String, of part: StatePart) -> Bool {
    switch part {
    case .enclave:
      ["keybag", "root.key", "attempts"].contains { name == $0 || name == ".\($0).new" }
        || [".lock", ".reserve", ".reserve.new"].contains(name)
    case .keychain:
      ["", "-wal", "-shm", "-journal"].contains { name == "keychain.sqlite" + $0 }
        || waiting.contains(name) || name == removalReserveName
    }
  }

  private static func size(of file: Int32, _ name: String) throws(Failure) -> Int {
    var facts = stat()
    guard unsafe fstat(file, &facts) == 0 else { throw StateFiles.failure("look at", name) }
    guard facts.st_size <= most.bytes else {
      throw Failure(.unsupported, "the file \(name) is too large to be taken into the service")
    }
    return Int(facts.st_size)
  }

  // MARK: Taking its place

  /// Moves what was gathered to where the engines look; nothing where nothing was. Before they are
  /// started. Whatever moment it stops at, the next call goes on from there.
  /// - Throws: `errSecDuplicateItem` once, where something was kept here meanwhile: what was gathered is
  ///   forgotten, and whoever moved it still has the folder. `storageFailed`.
  func finish() throws(Failure) {
    try discardGathered()
    guard StateFiles.isThere(whole) else { return }
    let enclave = whole + "/" + StatePart.enclave.folder
    if StateFiles.isThere(enclave) {
      // Something was set up between the last file and the end of that core: that stays, and who
      // moved still has the folder.
      if Self.hasState(folder + "/enclave"), !StateFiles.isThere(whole + "/" + Self.replacing) {
        return try forget()
      }
      for part in StatePart.allCases {
        do throws(Failure) {
          try requireNothingKept(of: part)
        } catch {
          if error.code == .errSecDuplicateItem { try forget() }
          throw error
        }
      }
      try StateFiles.remove(folder + "/enclave")
      try StateFiles.rename(enclave, to: folder + "/enclave")
    }
    let keychain = whole + "/" + StatePart.keychain.folder
    if StateFiles.isThere(keychain) {
      // The enclave's part is in its place: there is no way back.
      try requireNothingKept(of: .keychain)
      try StateFiles.remove(folder + "/keychain")
      try StateFiles.rename(keychain, to: folder + "/keychain")
    }
    try StateFiles.remove(whole)
    try StateFiles.synchronize(folder)
  }

  /// In one step: half of what was gathered is nobody's state.
  private func forget() throws(Failure) {
    try StateFiles.rename(whole, to: gathered)
    try StateFiles.remove(gathered)
  }

  /// Whether a user has anything in a state folder, or is about to have.
  static func isAnyState(in folder: String) -> Bool {
    hasState(folder + "/enclave") || StateFiles.isThere(folder + "/keychain/keychain.sqlite")
      || StateFiles.isThere(folder + "/adopted")
  }

  /// Whether an enclave has stored anything in its folder.
  private static func hasState(_ enclave: String) -> Bool {
    ["keybag", "root.key", "attempts", "erasing"].contains {
      StateFiles.isThere(enclave + "/" + $0)
    }
  }
}
