import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// Takes a state that a user had in a folder of their own into the service, all of it or nothing.
///
/// Files are gathered in a folder beside the user's state. When all are there and on the disk the
/// folder is renamed; from that moment they are the user's. The user's next core moves them to
/// their places before its engines look (``finish()``), as often as it takes.
///
/// The user controls what is in these files. Only those of ``StatePart/files`` are taken; the
/// keychain copies the rows into a database of its own (``rebuildDatabase(from:by:)``); a root key
/// in a TPM is refused, because the enclave would act on what the TPM holds for others.
final class StateAdoption: Sendable {
  private struct State {
    /// The connection that hands files over; nil if none does, or it ended too early.
    weak var giver: (any AnyObject & Sendable)?
    var files = 0
    var bytes = 0
  }

  private let folder: String
  private let state = Mutex(State())
  private var gathered: String { folder + "/incoming" }
  private var whole: String { folder + "/adopted" }

  /// The limits of files, and of their bytes together.
  private static let most = (
    files: StatePart.allCases.reduce(0) { $0 + $1.files.count }, bytes: HandedOverFile.most
  )
  /// The files in the keychain's folder while a state is gathered.
  private static let waiting = [CopyDatabase.source, CopyDatabase.target].flatMap { name in
    ["", "-wal", "-shm", "-journal"].map { name + $0 }
  }
  /// Marks that the state at the engines' places was never used.
  private static let replacing = "replacing"

  /// The next file.
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

  /// Takes one file of a state. All files of a state come over one connection.
  /// - Throws: `busy` while another connection hands over a state, `usage`, `unsupported`,
  ///   `storageFailed`.
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
      if let other = state.giver, other !== giver { throw Self.anotherMoves }
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

  /// Where a file is gathered. The keychain reads its own from its folder.
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

  /// Drops what was handed over. The next file is the first of another state.
  func stopGathering() {
    state.withLock { state in
      state.giver = nil
      do throws(Failure) {
        try discardGathered()
      } catch {
        // The next file or core removes it.
      }
    }
  }

  /// - Throws: `usage` if this connection has not handed over a state.
  func requireState(from giver: AnyObject) throws(Failure) {
    try state.withLock { (state) throws(Failure) in try requireState(state, from: giver) }
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

  /// Has the keychain copy the rows that were handed over into a new database, by `copy`.
  /// - Throws: as ``requireState(from:)``, and what `copy` throws.
  func rebuildDatabase(from giver: AnyObject, by copy: () throws(Failure) -> Void) throws(Failure) {
    try requireState(from: giver)
    if StateFiles.isThere(keychain + "/" + CopyDatabase.source) { try copy() }
  }

  /// Completes the adoption: all files are there, and the user's state in the service was never
  /// used and cannot change any more.
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

  /// A state is replaced only if nothing was ever kept in it. An enclave has files even if it was
  /// only asked for an item that does not exist.
  static var secondState: Failure {
    Failure(
      .errSecDuplicateItem, "you have a keychain in the service of this machine already",
      hint: wayOut)
  }

  private static let wayOut =
    "items go there by a backup: authcore --home DIR backup create FILE, authcore backup restore FILE"

  /// - Throws: `errSecDuplicateItem` if another state was taken in, or naming a file that no unused
  ///   state has.
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

  /// Whether an unused state may have a file. Other files were promised to be kept, even without
  /// passcode or items: what is bound to another TPM (`aside-1.keybag`), a database that was
  /// damaged or has lost its enclave (`keychain.sqlite.lost-1`).
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

  /// Moves what was gathered to where the engines look, if anything was, before they start. If it
  /// is interrupted, the next call continues.
  /// - Throws: `errSecDuplicateItem` once, if something was kept here meanwhile: what was gathered
  ///   is dropped, and the user still has the folder it came from. `storageFailed`.
  func finish() throws(Failure) {
    try discardGathered()
    guard StateFiles.isThere(whole) else { return }
    let enclave = whole + "/" + StatePart.enclave.folder
    if StateFiles.isThere(enclave) {
      // Something was set up between the last file and the end of that core. It stays, and the user
      // still has the other folder.
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
      // The enclave's part is already in place.
      try requireNothingKept(of: .keychain)
      try StateFiles.remove(folder + "/keychain")
      try StateFiles.rename(keychain, to: folder + "/keychain")
    }
    try StateFiles.remove(whole)
    try StateFiles.synchronize(folder)
  }

  /// In one step, because half of a state is useless.
  private func forget() throws(Failure) {
    try StateFiles.rename(whole, to: gathered)
    try StateFiles.remove(gathered)
  }

  /// Whether a user has anything in a state folder, or will have.
  static func isAnyState(in folder: String) -> Bool {
    hasState(folder + "/enclave") || StateFiles.isThere(folder + "/keychain/keychain.sqlite")
      || StateFiles.isThere(folder + "/adopted")
  }

  private static func hasState(_ enclave: String) -> Bool {
    ["keybag", "root.key", "attempts", "erasing"].contains {
      StateFiles.isThere(enclave + "/" + $0)
    }
  }
}
