import ClientProtocol
import Wire

/// What a request came to.
enum RequestOutcome: ~Copyable {
  /// The reply, as it goes to the client.
  case reply(SecretBytes)
  case failure(Failure)
  /// The bytes are not the message they should be.
  case garbage(DecodeError)
}

/// The requests a greeted client may make, by message number. What is not here is garbage.
enum RequestTable {
  /// Decodes and runs one request.
  typealias Entry = @Sendable (Call, borrowing SecretBytes) -> RequestOutcome

  /// Every request that needs the engines.
  static let entries: [UInt8: Entry] = {
    var entries: [UInt8: Entry] = [:]
    add(GetStatus.self, &entries) { (call, _) throws(Failure) in try call.status() }
    add(CanEvaluate.self, &entries) { (call, request) throws(Failure) in
      try call.canEvaluate(request)
    }
    add(Evaluate.self, &entries) { (call, request) throws(Failure) in try call.evaluate(request) }
    add(UnlockDevice.self, &entries) { (call, request) throws(Failure) in
      try call.unlock(request)
    }
    add(SetPasscode.self, &entries) { (call, request) throws(Failure) in
      try call.setPasscode(request)
    }
    add(ChangePasscode.self, &entries) { (call, request) throws(Failure) in
      try call.changePasscode(request)
    }
    add(RemovePasscode.self, &entries) { (call, request) throws(Failure) in
      try call.removePasscode(request)
    }
    add(MigrateRootKey.self, &entries) { (call, request) throws(Failure) in
      try call.migrateRootKey(request)
    }
    add(AbandonLostDevice.self, &entries) { (call, _) throws(Failure) in
      try call.abandonLostDevice()
    }
    add(EnrollFinger.self, &entries) { (call, request) throws(Failure) in
      try call.enrollFinger(request)
    }
    add(TestFinger.self, &entries) { (call, request) throws(Failure) in
      try call.testFinger(request)
    }
    add(NewContext.self, &entries) { (call, request) throws(Failure) in
      try call.newContext(request)
    }
    add(InvalidateContext.self, &entries) { (call, request) throws(Failure) in
      try call.invalidateContext(request)
    }
    forward(EngineRequest.self, &entries) { (call, request) throws(Failure) in
      try call.forward(request)
    }
    return entries
  }()

  private static func add<
    Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable
  >(
    _ type: Request.Type, _ entries: inout [UInt8: Entry],
    _ body: @escaping @Sendable (Call, consuming Request) throws(Failure) -> Reply
  ) {
    forward(type, &entries) { (call, request) throws(Failure) in
      ClientEnvelope.encode(try body(call, request), request: call.identifier)
    }
  }

  /// Adds a request whose reply is encoded where it is made.
  private static func forward<Request: WireMessage & ~Copyable>(
    _ type: Request.Type, _ entries: inout [UInt8: Entry],
    _ body: @escaping @Sendable (Call, consuming Request) throws(Failure) -> SecretBytes
  ) {
    entries[Request.number] = { call, bytes in
      let request: Request
      do throws(DecodeError) {
        request = try ClientEnvelope.decode(bytes.bytes)
      } catch {
        return .garbage(error)
      }
      do throws(Failure) {
        return .reply(try body(call, request))
      } catch {
        return .failure(error)
      }
    }
  }
}
