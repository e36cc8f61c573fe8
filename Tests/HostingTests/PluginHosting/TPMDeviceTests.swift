import AuthcoreABI
import Foundation
import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import TestSupport
import Testing

@Suite("The way to a TPM")
struct TPMDeviceTests {
  /// A command without parameters: `TPM2_GetTestResult`.
  private let command: [UInt8] = [0x80, 1, 0, 0, 0, 10, 0, 0, 1, 0x7c]

  private func response(_ payload: [UInt8] = []) -> [UInt8] {
    [0x80, 1, 0, 0, 0, UInt8(10 + payload.count), 0, 0, 0, 0] + payload
  }

  /// The TPM's end of the connection; open as long as this is held.
  private final class FarEnd: Sendable {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    func readCommands(_ count: Int) {
      var left = count * 10
      var buffer = [UInt8](repeating: 0, count: left)
      while left > 0 { left -= max(1, unsafe Glibc.read(descriptor.number, &buffer, left)) }
    }

    func write(_ bytes: [UInt8]) {
      #expect(unsafe Glibc.write(descriptor.number, bytes, bytes.count) == bytes.count)
    }
  }

  private func connect() throws -> (TPMDevice, FarEnd) {
    let pair = try SocketPair()
    let far = FarEnd(try pair.far.duplicate())
    return (TPMDevice(pair.takeNear(), at: .socket("/test")), far)
  }

  private func problem(_ device: TPMDevice, limit: Int = 4096) -> Int32? {
    do throws(TPMDevice.Problem) {
      _ = try device.exchange(command.span, milliseconds: 50, limit: limit)
      return nil
    } catch {
      return error.status
    }
  }

  @Test("a response is taken whole, in as many pieces as it comes")
  func pieces() throws {
    let (device, far) = try connect()
    let answer = response([1, 2, 3, 4])
    far.write(Array(answer[..<3]))
    far.write(Array(answer[3...]))
    #expect(try device.exchange(command.span, milliseconds: .max, limit: 4096) == answer)
  }

  @Test("a TPM that does not answer is late, and what it answers later is not taken for an answer")
  func late() throws {
    let (device, far) = try connect()
    #expect(problem(device) == Int32(AC_ERR_TIMEOUT))
    #expect(problem(device) == Int32(AC_ERR_BUSY))
    far.write(response([9]))
    SystemThread.start(name: "tpm") {
      far.readCommands(2)
      far.write(response([7]))
    }
    #expect(try device.exchange(command.span, milliseconds: .max, limit: 4096) == response([7]))
  }

  @Test("half a response is late, and the other half still belongs to it")
  func half() throws {
    let (device, far) = try connect()
    far.write(Array(response([1, 2])[..<11]))
    #expect(problem(device) == Int32(AC_ERR_TIMEOUT))
    far.write([2] + response([7]))
    #expect(problem(device) == Int32(AC_ERR_PROTOCOL), "more came than one response")
  }

  @Test(
    "what is no response is said to be none, and nothing behind it is believed",
    arguments: [
      [0x80, 1, 0, 0, 0, 9, 0, 0, 0, 0], [0x80, 1, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
      [0x80, 1, 0, 0, 0, 10, 0, 0, 0, 0, 1],
    ] as [[UInt8]])
  func garbage(answer: [UInt8]) throws {
    let (device, far) = try connect()
    far.write(answer)
    #expect(problem(device) == Int32(AC_ERR_PROTOCOL))
    #expect(problem(device) == Int32(AC_ERR_GONE))
  }

  @Test("a response of more than the caller has room for is refused")
  func room() throws {
    let (device, far) = try connect()
    far.write(response([1, 2, 3]))
    #expect(problem(device, limit: 12) == Int32(AC_ERR_PROTOCOL))
    withExtendedLifetime(far) {}
  }

  @Test("a connection that was closed is gone, and stays so")
  func closed() throws {
    let pair = try SocketPair()
    let device = TPMDevice(pair.takeNear(), at: .socket("/test"))
    #expect(problem(device) == Int32(AC_ERR_GONE))
    #expect(problem(device) == Int32(AC_ERR_GONE))
  }

  @Test("what is no command is not sent", arguments: [0, 9, 4097])
  func noCommand(count: Int) throws {
    let (device, far) = try connect()
    let bytes = [UInt8](repeating: 0, count: count)
    #expect(throws: TPMDevice.Problem.self) {
      _ = try device.exchange(bytes.span, milliseconds: 50, limit: 4096)
    }
    withExtendedLifetime(far) {}
  }

  @Test("a device that is not there, or may not be opened, is told apart")
  func unopened() throws {
    let folder = try TemporaryFolder()
    #expect(problem(TPMDevice(.device(folder.file("none")))) == Int32(AC_ERR_NOT_FOUND))
    #expect(problem(TPMDevice(.socket(folder.file("none")))) == Int32(AC_ERR_NOT_FOUND))
    let file = folder.file("closed")
    #expect(
      FileManager.default.createFile(
        atPath: file, contents: Data(), attributes: [.posixPermissions: 0]))
    if geteuid() != 0 {
      #expect(problem(TPMDevice(.device(file))) == Int32(AC_ERR_PERMISSION))
    }
  }

  @Test(
    "addresses are read as tpm2-tss writes them",
    arguments: [
      ("device:/dev/tpmrm0", TPMAddress.device("/dev/tpmrm0")),
      ("swtpm", .network(host: "127.0.0.1", port: 2321)),
      ("swtpm:port=2400", .network(host: "127.0.0.1", port: 2400)),
      ("swtpm:host=127.0.0.2,port=1", .network(host: "127.0.0.2", port: 1)),
      ("swtpm:path=/run/tpm", .socket("/run/tpm")),
    ])
  func addresses(text: String, address: TPMAddress) throws {
    #expect(try TPMAddress(parsing: text) == address)
    #expect(try TPMAddress(parsing: address.text) == address)
  }

  @Test(
    "what names no TPM is a usage error",
    arguments: [
      "", ":", "device", "device:tpm0", "swtpm:port=70000", "swtpm:host=example.org",
      "swtpm:path=x", "swtpm:speed=3", "swtpm:port", "mssim:", "/dev/tpmrm0",
    ])
  func noAddress(text: String) {
    #expect {
      _ = try TPMAddress(parsing: text)
    } throws: { ($0 as? Failure)?.code == .usage }
  }
}
