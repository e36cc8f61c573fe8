import Glibc
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("The life of a core")
struct LifetimeTests {
  private static let second: UInt64 = 1_000_000_000

  private static func activity(
    proof: UInt64 = 0, request: UInt64 = 0, hasClients: Bool = false, lockAfter: UInt32
  ) -> IdleRules.Activity {
    IdleRules.Activity(
      lastProof: proof * second, lastActivity: request * second, hasClients: hasClients,
      lockAfter: lockAfter)
  }

  @Test("a core locks after its time without proof of the owner, and again after the same time")
  func locking() {
    var rules = IdleRules(endsByItself: false)
    let first = Self.activity(proof: 5, lockAfter: 10)
    #expect(rules.action(at: 5 * Self.second, first) == .wait(10 * Self.second))
    #expect(rules.action(at: 14 * Self.second, first) == .wait(Self.second))
    #expect(rules.action(at: 15 * Self.second, first) == .lock)
    #expect(rules.action(at: 16 * Self.second, first) == .wait(9 * Self.second))
    #expect(rules.action(at: 25 * Self.second, first) == .lock)
    let second = Self.activity(proof: 30, lockAfter: 10)
    #expect(rules.action(at: 30 * Self.second, second) == .wait(10 * Self.second))
    #expect(rules.action(at: 40 * Self.second, second) == .lock)
  }

  @Test("ATTACKS 6: a request each second, and connections that come and go, put no lock off")
  func pollingLocksToo() {
    var rules = IdleRules(endsByItself: true)
    let actions = (0..<10 as Range<UInt64>).map { now in
      rules.action(
        at: now * Self.second, Self.activity(request: now, hasClients: now % 2 == 0, lockAfter: 3))
    }
    #expect(actions.indices.filter { actions[$0] == .lock } == [3, 6, 9])
  }

  @Test(
    "a core on demand asks after a minute without clients whether it is needed, and every minute then"
  )
  func ending() {
    var rules = IdleRules(endsByItself: true)
    let idle = Self.activity(lockAfter: 900)
    #expect(rules.action(at: 0, idle) == .wait(60 * Self.second))
    #expect(
      rules.action(at: 60 * Self.second, Self.activity(hasClients: true, lockAfter: 900))
        == .wait(60 * Self.second))
    #expect(rules.action(at: 60 * Self.second, idle) == .endUnlessNeeded)
    #expect(rules.action(at: 61 * Self.second, idle) == .wait(59 * Self.second))
    #expect(rules.action(at: 120 * Self.second, idle) == .endUnlessNeeded)
  }

  @Test("a core that was not started on demand does not end by itself")
  func staying() {
    var rules = IdleRules(endsByItself: false)
    #expect(
      rules.action(at: 6000 * Self.second, Self.activity(lockAfter: 604_800))
        == .wait(60 * Self.second))
  }

  @Test("a core is closed by one alone: an ending one takes no adoption, and is not ended again")
  func closedOnce() throws {
    let test = TestCore()
    let end = try SocketPair().takeNear()
    let link = ClientLink(
      end, peer: PeerCredentials(process: getpid(), user: test.user),
      names: ApplicationNames(beside: nil), by: test.core.connections, limits: test.core.limits)
    #expect(try test.core.closeForAdoption(but: link))
    let refusal = #expect(throws: Failure.self) { try test.core.closeForAdoption(but: link) }
    #expect(refusal?.code == .systemCancel)
    #expect(!test.core.closeUnlessUsed())
    let idle = TestCore()
    #expect(idle.core.closeUnlessUsed())
    #expect(!idle.core.closeUnlessUsed())
    #expect(throws: Failure.self) { try idle.core.closeForAdoption(but: link) }
  }

  @Test("a core with a client is not closed as unused, though its end was asked for")
  func usedAndEnding() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    test.core.requestEnd()
    #expect(!test.core.closeUnlessUsed())
    try client.send(GetStatus())
    _ = try client.receive(CoreStatus.self)
  }

  @Test("ATTACKS 6: what proves the owner is a match or a correct passcode, and nothing else")
  func proofs() throws {
    let clock = TestClock()
    let test = TestCore([.match, .miss, .match], clock: clock.boot)
    let start = test.core.activity.lastProof
    clock.advance(seconds: 1)
    let client = try test.clientWithSensor()
    try client.send(GetStatus())
    _ = try client.receive(CoreStatus.self)
    try client.ask(LockDevice())
    _ = try client.receive(Done.self)
    let wrong = try client.send(UnlockDevice(options: .test(prefersPasscode: true)))
    try client.answer(try client.receive(Prompt.self), .passcode, "9999", request: wrong)
    try client.answer(try client.receive(Prompt.self), .cancel, request: wrong)
    #expect(try client.receiveFailure() == .userCancel)
    #expect(test.core.activity.lastProof == start, "nothing of this is proof")
    #expect(test.core.activity.lastActivity == clock.boot.now())

    // A cancelled program is not asked about before.
    clock.advance(seconds: 300)
    let unlock = try client.send(UnlockDevice(options: .test(prefersPasscode: true)))
    try client.answer(try client.receive(Prompt.self), .passcode, "1234", request: unlock)
    _ = try client.receiveAfterProgress(Evaluated.self)
    #expect(test.core.activity.lastProof == clock.boot.now(), "a correct passcode")

    clock.advance(seconds: 1)
    let touch = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    try client.answer(try client.receive(Prompt.self), .shown, request: touch)
    _ = try client.receiveAfterProgress(Evaluated.self)
    #expect(test.core.activity.lastProof == clock.boot.now(), "a match")

    let proved = clock.boot.now()
    clock.advance(seconds: 1)
    let missed = try client.send(TestFinger(options: .test()))
    try client.answer(try client.receive(Prompt.self), .shown, request: missed)
    #expect(try !client.receiveAfterProgress(FingerTested.self).value.isMatch)
    test.enclave.state.update { $0.reuse = .biometry }
    try client.send(Evaluate(policy: .biometrics, reuseSeconds: 30, options: .test()))
    _ = try client.receiveAfterProgress(Evaluated.self)
    #expect(test.core.activity.lastProof == proved, "a miss and a touch of earlier")

    try client.send(SetPasscode(passcode: SecretBytes(copying: Array("1234".utf8).span)))
    _ = try client.receive(Done.self)
    #expect(test.core.activity.lastProof == clock.boot.now(), "the first passcode")
  }

  @Test("proof of the owner and a new client wake whoever waits to lock, a request does not")
  func wakes() throws {
    let clock = TestClock()
    let test = TestCore(clock: clock.boot)
    let start = test.core.activity
    clock.advance(seconds: 1)
    test.core.noteActivity()
    #expect(test.core.wait(nanoseconds: 1_000_000, after: start) == .time)
    test.core.noteProof()
    #expect(test.core.wait(nanoseconds: 60 * Self.second, after: start) == .change)
    let proved = test.core.activity
    _ = try test.connect()
    #expect(test.core.wait(nanoseconds: 60 * Self.second, after: proved) == .change)
    test.core.requestEnd()
    #expect(test.core.wait(nanoseconds: 60 * Self.second, after: start) == .end)
  }

  @Test("what is worth keeping: an unlocked device, and a locked one that a finger unlocks")
  func holdings() throws {
    let test = TestCore()
    #expect(test.core.enclaves.holdNothing, "no enclave runs")
    _ = try test.core.enclaves.enclave()
    #expect(!test.core.enclaves.holdNothing)
    test.core.enclaves.lock()
    #expect(test.core.enclaves.holdNothing)
    test.enclave.set { $0.isBiometricUnlockArmed = true }
    #expect(!test.core.enclaves.holdNothing)
    test.enclave.set { $0.isFirstUnlocked = false }
    #expect(test.core.enclaves.holdNothing)
    test.enclave.set {
      $0.isFirstUnlocked = true
      $0.isPasscodeSet = false
    }
    #expect(test.core.enclaves.holdNothing)
  }

  @Test("the command line of authcored")
  func arguments() throws {
    let arguments = try CoreArguments([
      "--home", "/tmp/h", "--ready-fd", "3", "--lock-after", "60", "--on-demand",
    ])
    #expect(arguments.home == "/tmp/h" && arguments.readyDescriptor == 3)
    #expect(arguments.lockAfter == 60 && arguments.isOnDemand)
    #expect(try CoreArguments(["--home", "/"]).lockAfter == nil)
  }

  @Test(
    "arguments that make no sense are refused, and the report still finds its way",
    arguments: [
      [], ["--home"], ["--home", "relative"], ["--home", "/h", "--lock-after", "0"],
      ["--home", "/h", "--ready-fd", "x"], ["--home", "/h", "--what"],
      ["--home", "/h", "--lock-after", "99999999999"],
    ])
  func wrongArguments(arguments: [String]) {
    #expect { try CoreArguments(arguments) } throws: { ($0 as? Failure)?.code == .usage }
    #expect(CoreArguments.readyDescriptor(in: arguments + ["--ready-fd", "7"]) != 3)
    #expect(CoreArguments.readyDescriptor(in: ["--what", "--ready-fd", "7"]) == 7)
  }

  @Test("the start is reported as one message and the end of the stream")
  func report() throws {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    StartReport(to: ends[0]).send(CoreReady(process: 42, wasRunning: false))
    let stream = MessageStream(Descriptor(owning: ends[1]), limit: 4096)
    let message = try stream.receive()
    #expect(try CoreReady.decode(message.bytes.bytes) == CoreReady(process: 42, wasRunning: false))
    #expect(throws: StreamError.closed) { _ = try stream.receive() }
  }

  @Test("a state folder is made with what leads to it, whatever its length, and closed to others")
  func home() throws {
    try withTemporaryFolder { folder in
      let path = folder + String(repeating: "/" + String(repeating: "x", count: 100), count: 3)
      let home = try HomeFolder(path)
      var facts = stat()
      #expect(unsafe stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
      #expect(try home.makeFolder("keychain") == path + "/keychain")
      #expect(!HomeFolder.isReachable(path, home.number), "it has no socket")
      let socket = try ListeningSocket(in: home)
      #expect(HomeFolder.isReachable(path, home.number))
      #expect(ListeningSocket.isServed(in: home.number))
      #expect(socket.acceptOne() == geteuid())
      unsafe rename(path, path + "y")
      #expect(!HomeFolder.isReachable(path, home.number))
    }
  }

  @Test("a state folder that others may enter, and a file in its place, are refused")
  func wrongHome() throws {
    try withTemporaryFolder { folder in
      unsafe mkdir(folder + "/open", 0o755)
      unsafe chmod(folder + "/open", 0o755)
      #expect { try HomeFolder(folder + "/open").number } throws: {
        ($0 as? Failure)?.code == .coreFailed
      }
      close(unsafe open(folder + "/file", O_CREAT | O_WRONLY, 0o600))
      #expect { try HomeFolder(folder + "/file").number } throws: {
        ($0 as? Failure)?.code == .storageFailed
      }
    }
  }

  @Test(
    "one core for each folder: a second one finds the first, and a socket left behind is replaced")
  func oneCore() throws {
    try withTemporaryFolder { folder in
      let home = try HomeFolder(folder + "/h")
      do {
        guard case .thisProcess(let lock) = try FolderLock.take(in: home) else {
          Issue.record("the lock of a fresh folder is free")
          return
        }
        #expect { try FolderLock.take(in: home, milliseconds: 20).isAnother() } throws: {
          ($0 as? Failure)?.code == .coreFailed
        }
        let socket = try ListeningSocket(in: home)
        #expect(try FolderLock.take(in: home, milliseconds: 20).isAnother())
        _ = socket.acceptOne()
        _ = lock.number
      }
      #expect(!ListeningSocket.isServed(in: home.number), "the socket is stale")
      #expect(try !FolderLock.take(in: home).isAnother())
      let socket = try ListeningSocket(in: home)
      #expect(ListeningSocket.isServed(in: home.number))
      _ = socket.acceptOne()
    }
  }
}

extension ListeningSocket {
  /// Accepts a client and ends its connection.
  /// - Returns: whose it was.
  fileprivate borrowing func acceptOne() -> UInt32? {
    var user: UInt32?
    accept {
      ClosingLine(DescriptorCloser(), of: .user($0.user))
    } serve: { _, peer in
      user = peer.user
    }
    return user
  }
}

extension FolderLock.Holder {
  fileprivate consuming func isAnother() -> Bool {
    switch consume self {
    case .another: true
    case .thisProcess: false
    }
  }
}
