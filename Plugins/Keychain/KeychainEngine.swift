// The keychain engine: remembers sealed items and their attributes in one SQLite file. It cannot
// open one; the enclave can.

public import AuthcoreABI
package import EngineKit
package import Protocol

/// The one symbol of this engine, which Package.swift gives the name `ac_engine_entry` (engine.h).
@c(KeychainEngine_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_engine: UnsafeMutablePointer<UnsafePointer<ac_engine_plugin_t>?>!
) -> ac_status_t { unsafe EngineExport.enter(KeychainEngine.self, host, ret_engine) }

/// A database of keychain items (K1, K3), behind the mailbox of `applications.schema`.
///
/// Nothing in the file names an item in the clear: the enclave seals attributes, and hashes the names
/// by which rows are found. The engine starts even if the file cannot be used; every request then says
/// so until the file is mended.
package final class KeychainEngine: Engine {
  package static var kind: ac_engine_kind_t { ac_engine_kind_t(AC_ENGINE_KEYCHAIN) }
  package static var name: StaticString { "sqlite-keychain" }
  package static var version: StaticString { "1.0" }

  let services: EngineServices
  let enclave: EnclaveLink
  let items: ItemStore
  let keys: KeyStore
  let awaited: AwaitedItem
  private let restore: Restore
  private let repair: KeychainRepair

  package convenience init(services: EngineServices) throws(Failure) {
    try self.init(services: services, busyTimeout: 5)
  }

  /// - Parameters:
  ///   - services: what the core offers it.
  ///   - busyTimeout: seconds that another process may keep the file.
  ///   - room: bytes that the keychain may take on the disk.
  /// - Throws: `engineFailed` without a folder.
  package init(
    services: EngineServices, busyTimeout: Double, room: Int = largestKeychain
  ) throws(Failure) {
    guard let folder = services.folder else {
      throw Failure(.engineFailed, "the host of the keychain has no service folder/1")
    }
    let database = KeychainDatabase(
      file: DatabaseFile(path: folder + "/keychain.sqlite"), busyTimeout: busyTimeout, room: room,
      mark: KeychainMark(services: services))
    self.services = services
    enclave = EnclaveLink(services: services, database: database)
    items = ItemStore(keychain: database)
    keys = KeyStore(keychain: database)
    awaited = AwaitedItem(items)
    restore = Restore(items, enclave, services)
    repair = KeychainRepair(keychain: database, enclave: enclave)
  }

  package func handle(_ request: Span<UInt8>) -> SecretBytes {
    do throws(Failure) {
      return try answer(request)
    } catch {
      return error.encoded()
    }
  }

  private func answer(_ request: Span<UInt8>) throws(Failure) -> SecretBytes {
    switch request.isEmpty ? 0 : request[0] {
    case ApplicationRequest.number: try answerApplication(request)
    case RemovePasscodeBoundItems.number: try removePasscodeBound(Self.decode(request))
    case CopyDatabase.number: try repair.copyDatabase(Self.decode(request))
    default: throw Self.unknown(request)
    }
  }

  /// Answers an application, whose message the core has not looked at.
  private func answerApplication(_ request: Span<UInt8>) throws(Failure) -> SecretBytes {
    let envelope: ApplicationRequest
    do throws(DecodeError) {
      envelope = try ApplicationRequest(decoding: request)
    } catch {
      throw Self.notUnderstood("\(error)")
    }
    let requester = envelope.context.requester
    let application = try Self.application(of: requester)
    let message = envelope.message
    return switch message.isEmpty ? 0 : message[0] {
    case AddItem.number: try add(Self.decode(message), for: application)
    case AddItems.number: try addSeveral(Self.decode(message), for: application)
    case FindItems.number: try find(Self.decode(message), for: application)
    case GetItem.number: try get(Self.decode(message), for: application, requester)
    case UpdateItems.number: try update(Self.decode(message), for: application)
    case RemoveItems.number: try remove(Self.decode(message), for: application)
    case ShareItem.number: try share(Self.decode(message), for: application)
    case CreateKey.number: try createKey(Self.decode(message), for: application)
    case FindKeys.number: try findKeys(Self.decode(message), for: application)
    case UseKey.number: try useKey(Self.decode(message), for: application)
    case RemoveKey.number: try removeKey(Self.decode(message), for: application)
    case CheckKeychain.number: try repair.check(Self.decode(message), for: requester)
    case RepairKeychain.number: try repair.repair(Self.decode(message), for: requester)
    case AddCertificate.number: try addCertificate(Self.decode(message), for: application)
    case GetCertificate.number: try getCertificate(Self.decode(message), for: application)
    case FindIdentities.number: try findIdentities(Self.decode(message), for: application)
    case FindApplications.number: try findApplications(Self.decode(message), for: application)
    case FindItemsOfApplication.number: try findItems(Self.decode(message), for: application)
    case FindGuarded.number: try findGuarded(Self.decode(message), for: application)
    case ForgetApplication.number: try forget(Self.decode(message), for: application)
    case BackUpItems.number: try backUp(Self.decode(message), in: envelope.context)
    case RestoreItems.number: try restore.take(Self.decode(message), in: envelope.context)
    case FinishRestore.number: try restore.finish(Self.decode(message), in: envelope.context)
    default: throw Self.unknown(message)
    }
  }

  private static func unknown(_ request: Span<UInt8>) -> Failure {
    notUnderstood(request.isEmpty ? "nothing" : "a message of the unknown kind \(request[0])")
  }

  private static func decode<Message: WireMessage & ~Copyable>(
    _ request: Span<UInt8>
  ) throws(Failure) -> Message {
    do throws(DecodeError) {
      return try Message.decode(request)
    } catch .tooLong(let count, let limit) {
      throw Failure(
        .errSecParam,
        "an attribute or the secret is \(count) bytes long; at most \(limit) are taken",
        hint: "a keychain is for small secrets; keep large data in a file and its key here")
    } catch {
      throw notUnderstood("\(error)")
    }
  }

  private static func notUnderstood(_ what: String) -> Failure {
    Failure(
      .engineFailed, "the keychain was asked something it does not understand: \(what)",
      hint: "core and keychain engine are of different versions: install both from one build")
  }
}
