// swift-format-ignore-file
// Made by scripts/make-protocol from Sources/Protocol/Schema/hosts.schema, which documents it.
package struct SensorRetry: CaptureMessage, Equatable {
  package static var number: UInt8 { 241 }
  package let channel: UInt32, session: UInt64, reason: Int32
  package init(channel: UInt32 = 0, session: UInt64, reason: Int32) { self.channel = channel; self.session = session; self.reason = reason }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(channel, session, reason) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (channel, session, reason) = try decoder.read(); guard 1...99 ~= reason else { throw .invalidValue(field: "reason of SensorRetry") } }
}
package struct DeviceChange: WireMessage, Equatable {
  package static var number: UInt8 { 30 }
  package enum Event: Int32, WireField {
    case arrived = 1, left = 2, settled = 3
  }
  package let event: Event, device: USBPresence
  package init(_ event: Event, _ device: USBPresence) { self.event = event; self.device = device }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(event, device) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (event, device) = try decoder.read() }
}
package struct DeviceOpening: WireField, Equatable {
  package let hasDescriptor: Bool, recordsTraffic: Bool, bus: UInt8, address: UInt8, text: String
  package init(hasDescriptor: Bool, recordsTraffic: Bool, bus: UInt8 = 0, address: UInt8 = 0, text: String = "") { self.hasDescriptor = hasDescriptor; self.recordsTraffic = recordsTraffic; self.bus = bus; self.address = address; self.text = text }
  package func encode(into encoder: inout WireEncoder) { encoder.write(hasDescriptor, recordsTraffic, bus, address, text) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (hasDescriptor, recordsTraffic, bus, address) = try decoder.read(); text = try decoder.readText(limit: DeviceOpening.longestText) }
}
package struct HostReady: WireMessage, Equatable {
  package static var number: UInt8 { 20 }
  package let pluginName: String, pluginVersion: String, abiVersion: UInt32, path: String, report: SandboxReport
  package init(pluginName: String, pluginVersion: String, abiVersion: UInt32, path: String, report: SandboxReport) { self.pluginName = pluginName; self.pluginVersion = pluginVersion; self.abiVersion = abiVersion; self.path = path; self.report = report }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(pluginName, pluginVersion, abiVersion, path, report) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (pluginName, pluginVersion, abiVersion, path, report) = try decoder.read() }
}
package struct HostStage: WireMessage, Equatable {
  package static var number: UInt8 { 21 }
  package enum Stage: UInt8, WireField {
    case loading = 1, entry = 2, creation = 3
  }
  package let stage: Stage
  package init(_ stage: Stage) { self.stage = stage }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(stage) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { stage = try decoder.read() }
}
package struct HostLog: WireMessage, Equatable {
  package static var number: UInt8 { 22 }
  package let level: PluginLogLevel, text: String
  package init(_ level: PluginLogLevel, _ text: String) { self.level = level; self.text = text }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(level, text) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (level, text) = try decoder.read() }
}
package struct HostEnding: WireMessage, Equatable {
  package static var number: UInt8 { 23 }
  package let reason: String
  package init(reason: String) { self.reason = reason }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(reason) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { reason = try decoder.read() }
}
package struct HostTrapped: WireMessage, Equatable {
  package static var number: UInt8 { 24 }
  package let call: UInt32
  package init(call: UInt32) { self.call = call }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(call) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { call = try decoder.read() }
}
package struct LiftAwaited: EmptyMessage, Equatable {
  package static var number: UInt8 { 31 }
  package init() {  }
}
package enum PluginLogLevel: Int32, Comparable, WireField {
  case debug = 0, info = 1, warning = 2, error = 3
}
package struct SensorIdentity: WireField, Equatable {
  package let scanType: DriverDescription.ScanType, width: UInt32, height: UInt32, pixelsPerInch: UInt32, serial: String, firmware: String
  package init(scanType: DriverDescription.ScanType, width: UInt32, height: UInt32, pixelsPerInch: UInt32, serial: String = "", firmware: String = "") { self.scanType = scanType; self.width = width; self.height = height; self.pixelsPerInch = pixelsPerInch; self.serial = serial; self.firmware = firmware }
  package func encode(into encoder: inout WireEncoder) { encoder.write(scanType, width, height, pixelsPerInch, serial, firmware) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (scanType, width, height, pixelsPerInch) = try decoder.read(); serial = try decoder.readText(limit: SensorIdentity.longestText); firmware = try decoder.readText(limit: SensorIdentity.longestText); try check() }
}
package struct OpenSensorRequest: WireMessage, Equatable {
  package static var number: UInt8 { 4 }
  package let options: [SensorOption], device: DeviceOpening?
  package init(options: [SensorOption], device: DeviceOpening? = nil) { self.options = options; self.device = device }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(options, device) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { options = try decoder.readArray(limit: DriverDescription.maximumOptions, elementSize: 1) { (decoder) throws(DecodeError) in try SensorOption(from: &decoder) }; device = try decoder.read() }
}
package struct SensorOpened: WireMessage, Equatable {
  package static var number: UInt8 { 27 }
  package let identity: SensorIdentity?, chip: ChipSummary?
  package init(_ identity: SensorIdentity? = nil, chip: ChipSummary? = nil) { self.identity = identity; self.chip = chip }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(identity, chip) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (identity, chip) = try decoder.read() }
}
package struct ChipSummary: WireField, Hashable {
  package let abilities: UInt32, capacity: UInt32, nameBytes: UInt32, touches: UInt32
  package init(abilities: UInt32, capacity: UInt32, nameBytes: UInt32, touches: UInt32) { self.abilities = abilities; self.capacity = capacity; self.nameBytes = nameBytes; self.touches = touches }
  package func encode(into encoder: inout WireEncoder) { encoder.write(abilities, capacity, nameBytes, touches) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (abilities, capacity, nameBytes, touches) = try decoder.read(); guard 1...64 ~= nameBytes else { throw .invalidValue(field: "nameBytes of ChipSummary") } }
}
package struct ChipOrder: WireMessage, ~Copyable {
  package static var number: UInt8 { 243 }
  package enum Work: UInt8, WireField {
    case identify = 1, enroll = 2, touch = 3, list = 4, remove = 5
  }
  package let channel: UInt32, session: UInt64, work: Work, names: SecretBytes
  package init(channel: UInt32, session: UInt64, work: Work, names: consuming SecretBytes) { self.channel = channel; self.session = session; self.work = work; self.names = names }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(channel, session, work); encoder.writeSecret(names) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let (channel, session, work): (UInt32, UInt64, Work) = try decoder.read(); let names = try decoder.readSecret(limit: ChipNames.longest); self.init(channel: channel, session: session, work: work, names: names) }
}
package struct ChipReport: CaptureMessage, ~Copyable {
  package static var number: UInt8 { 244 }
  package enum Result: UInt8, WireField {
    case matched = 1, noMatch = 2, progress = 3, stored = 4, done = 5
  }
  package let channel: UInt32, session: UInt64, result: Result, percent: UInt8, name: SecretBytes, listed: SecretBytes
  package init(channel: UInt32 = 0, session: UInt64, result: Result, percent: UInt8 = 0, name: consuming SecretBytes, listed: consuming SecretBytes) { self.channel = channel; self.session = session; self.result = result; self.percent = percent; self.name = name; self.listed = listed }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(channel, session, result, percent); encoder.writeSecret(name); encoder.writeSecret(listed) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let (channel, session, result, percent): (UInt32, UInt64, Result, UInt8) = try decoder.read(); let name = try decoder.readSecret(limit: ChipNames.longest); let listed = try decoder.readSecret(limit: ChipNames.longest); guard 0...100 ~= percent else { throw .invalidValue(field: "percent of ChipReport") }; self.init(channel: channel, session: session, result: result, percent: percent, name: name, listed: listed) }
}
package struct CaptureTouch: WireMessage, Equatable {
  package static var number: UInt8 { 5 }
  package let session: UInt64, timeoutMilliseconds: UInt32, ignoresPresentFinger: Bool
  package init(session: UInt64, timeoutMilliseconds: UInt32, ignoresPresentFinger: Bool = false) { self.session = session; self.timeoutMilliseconds = timeoutMilliseconds; self.ignoresPresentFinger = ignoresPresentFinger }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(session, timeoutMilliseconds, ignoresPresentFinger) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (session, timeoutMilliseconds, ignoresPresentFinger) = try decoder.read() }
}
package struct StopCapture: WireMessage, Equatable {
  package static var number: UInt8 { 6 }
  package let session: UInt64
  package init(session: UInt64) { self.session = session }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(session) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { session = try decoder.read() }
}
package struct CloseSensor: EmptyMessage, Equatable {
  package static var number: UInt8 { 7 }
  package init() {  }
}
package struct SensorClosed: EmptyMessage, Equatable {
  package static var number: UInt8 { 28 }
  package init() {  }
}
package struct SensorDescribed: WireMessage, Equatable {
  package static var number: UInt8 { 29 }
  package let description: DriverDescription
  package init(_ description: DriverDescription) { self.description = description }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(description) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { description = try decoder.read() }
}
package struct SensorOption: WireField, Equatable {
  package enum Kind: Int32, WireField {
    case text = 0, number = 1, file = 2
  }
  package let name: String, kind: Kind, value: String, number: Int64
  package init(name: String, kind: Kind, value: String, number: Int64 = 0) { self.name = name; self.kind = kind; self.value = value; self.number = number }
  package func encode(into encoder: inout WireEncoder) { encoder.write(name, kind, value, number) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (name, kind) = try decoder.read(); value = try decoder.readText(limit: SensorOption.longestValue); number = try decoder.read(); try check() }
}
package struct EngineCall: EngineCarrier, ~Copyable {
  package static var number: UInt8 { 1 }
  package let content: SecretBytes
  package init(_ content: consuming SecretBytes) { self.content = content }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(content) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let content = try decoder.readSecret(limit: HostProtocol.maximumEngineMessage); self.init(content) }
}
package struct EngineReply: EngineCarrier, ~Copyable {
  package static var number: UInt8 { 25 }
  package let content: SecretBytes
  package init(_ content: consuming SecretBytes) { self.content = content }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(content) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let content = try decoder.readSecret(limit: HostProtocol.maximumEngineMessage); self.init(content) }
}
package struct EngineEvent: EngineCarrier, ~Copyable {
  package static var number: UInt8 { 26 }
  package let content: SecretBytes
  package init(_ content: consuming SecretBytes) { self.content = content }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(content) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { let content = try decoder.readSecret(limit: HostProtocol.maximumEngineMessage); self.init(content) }
}
package struct AttachSensor: WireMessage, Equatable {
  package static var number: UInt8 { 2 }
  package let channel: UInt32
  package init(channel: UInt32) { self.channel = channel }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(channel) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { channel = try decoder.read() }
}
package struct DetachSensor: WireMessage, Equatable {
  package static var number: UInt8 { 3 }
  package let channel: UInt32
  package init(channel: UInt32) { self.channel = channel }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(channel) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { channel = try decoder.read() }
}
package struct SensorEnd: CaptureMessage, Equatable {
  package static var number: UInt8 { 242 }
  package let channel: UInt32, session: UInt64, status: Int32, message: String
  package init(channel: UInt32 = 0, session: UInt64, status: Int32, message: String) { self.channel = channel; self.session = session; self.status = status; self.message = message }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(channel, session, status, message) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (channel, session, status, message) = try decoder.read(); guard 100...Int32.max ~= status else { throw .invalidValue(field: "status of SensorEnd") } }
}
package struct USBPresence: WireField, Hashable {
  package enum Place: Int32, WireField {
    case unknown = 0, external = 1, builtIn = 2
  }
  package let vendor: UInt16, product: UInt16, release: UInt16, bus: UInt8, address: UInt8, place: Place, port: String, interfaces: [USBInterface]?
  package init(vendor: UInt16, product: UInt16, release: UInt16 = 0, bus: UInt8, address: UInt8, place: Place = .unknown, port: String = "", interfaces: [USBInterface]? = nil) { self.vendor = vendor; self.product = product; self.release = release; self.bus = bus; self.address = address; self.place = place; self.port = port; self.interfaces = interfaces }
  package func encode(into encoder: inout WireEncoder) { encoder.write(vendor, product, release, bus, address, place, port, interfaces) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (vendor, product, release, bus, address, place) = try decoder.read(); port = try decoder.readText(limit: 32); interfaces = try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readArray(limit: USBPresence.maximumInterfaces, elementSize: 1) { (decoder) throws(DecodeError) in try USBInterface(from: &decoder) } } }
}
package struct USBInterfacePattern: WireField, Hashable {
  package let number: UInt8?, classCode: UInt8?, subclassCode: UInt8?, protocolCode: UInt8?
  package init(number: UInt8? = nil, classCode: UInt8? = nil, subclassCode: UInt8? = nil, protocolCode: UInt8? = nil) { self.number = number; self.classCode = classCode; self.subclassCode = subclassCode; self.protocolCode = protocolCode }
  package func encode(into encoder: inout WireEncoder) { encoder.write(number, classCode, subclassCode, protocolCode) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (number, classCode, subclassCode, protocolCode) = try decoder.read() }
}
package struct USBInterface: WireField, Hashable {
  package let number: UInt8, classCode: UInt8, subclassCode: UInt8, protocolCode: UInt8
  package init(number: UInt8, classCode: UInt8, subclassCode: UInt8, protocolCode: UInt8) { self.number = number; self.classCode = classCode; self.subclassCode = subclassCode; self.protocolCode = protocolCode }
  package func encode(into encoder: inout WireEncoder) { encoder.write(number, classCode, subclassCode, protocolCode) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (number, classCode, subclassCode, protocolCode) = try decoder.read() }
}
package struct DriverDescription: WireField, Equatable {
  package enum ScanType: Int32, WireField {
    case press = 0, swipe = 1
  }
  package struct Option: WireField, Equatable {
    package let name: String, kind: SensorOption.Kind, summary: String
    package init(name: String, kind: SensorOption.Kind, summary: String) { self.name = name; self.kind = kind; self.summary = summary }
    package func encode(into encoder: inout WireEncoder) { encoder.write(name, kind, summary) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (name, kind) = try decoder.read(); summary = try decoder.readText(limit: DriverDescription.longestText) }
  }
  package struct USBMatch: WireField, Hashable {
    package let vendor: UInt16, product: UInt16, firstRelease: UInt16?, lastRelease: UInt16?, interface: USBInterfacePattern?
    package init(vendor: UInt16, product: UInt16, firstRelease: UInt16?, lastRelease: UInt16?, interface: USBInterfacePattern?) { self.vendor = vendor; self.product = product; self.firstRelease = firstRelease; self.lastRelease = lastRelease; self.interface = interface }
    package func encode(into encoder: inout WireEncoder) { encoder.write(vendor, product, firstRelease, lastRelease, interface) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (vendor, product, firstRelease, lastRelease, interface) = try decoder.read(); try check() }
  }
  package let abiVersion: UInt32, name: String, fullName: String, version: String, usbMatches: [USBMatch], scanType: ScanType, width: UInt32, height: UInt32, pixelsPerInch: UInt32, flags: Flags, options: [Option], realOption: String?
  package init(abiVersion: UInt32, name: String, fullName: String, version: String, usbMatches: [USBMatch], scanType: ScanType, width: UInt32, height: UInt32, pixelsPerInch: UInt32, flags: Flags, options: [Option], realOption: String?) { self.abiVersion = abiVersion; self.name = name; self.fullName = fullName; self.version = version; self.usbMatches = usbMatches; self.scanType = scanType; self.width = width; self.height = height; self.pixelsPerInch = pixelsPerInch; self.flags = flags; self.options = options; self.realOption = realOption }
  package func encode(into encoder: inout WireEncoder) { encoder.write(abiVersion, name, fullName, version, usbMatches, scanType, width, height, pixelsPerInch, flags, options, realOption) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (abiVersion, name) = try decoder.read(); fullName = try decoder.readText(limit: DriverDescription.longestText); version = try decoder.readText(limit: DriverDescription.longestText); usbMatches = try decoder.readArray(limit: DriverDescription.maximumMatches, elementSize: 1) { (decoder) throws(DecodeError) in try USBMatch(from: &decoder) }; (scanType, width, height, pixelsPerInch, flags) = try decoder.read(); options = try decoder.readArray(limit: DriverDescription.maximumOptions, elementSize: 1) { (decoder) throws(DecodeError) in try Option(from: &decoder) }; realOption = try decoder.read(); try check() }
}
package struct SandboxReport: WireField, Equatable {
  package var confinement: Confinement, seccomp: Bool, landlockVersion: Int32, noNewPrivileges: Bool, lockedMemory: Bool, lacks: [String]
  package init(confinement: Confinement, seccomp: Bool = false, landlockVersion: Int32 = 0, noNewPrivileges: Bool = false, lockedMemory: Bool = false, lacks: [String] = []) { self.confinement = confinement; self.seccomp = seccomp; self.landlockVersion = landlockVersion; self.noNewPrivileges = noNewPrivileges; self.lockedMemory = lockedMemory; self.lacks = lacks }
  package func encode(into encoder: inout WireEncoder) { encoder.write(confinement, seccomp, landlockVersion, noNewPrivileges, lockedMemory, lacks) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (confinement, seccomp, landlockVersion, noNewPrivileges, lockedMemory) = try decoder.read(); lacks = try decoder.readArray(limit: 32, elementSize: 1) { (decoder) throws(DecodeError) in try String(from: &decoder) } }
}
package struct FileIdentity: WireField, Hashable {
  package let device: UInt64, inode: UInt64, size: UInt64, modificationSeconds: UInt64, modificationNanoseconds: UInt64, changeSeconds: UInt64, changeNanoseconds: UInt64
  package init(device: UInt64, inode: UInt64, size: UInt64, modificationSeconds: UInt64, modificationNanoseconds: UInt64, changeSeconds: UInt64, changeNanoseconds: UInt64) { self.device = device; self.inode = inode; self.size = size; self.modificationSeconds = modificationSeconds; self.modificationNanoseconds = modificationNanoseconds; self.changeSeconds = changeSeconds; self.changeNanoseconds = changeNanoseconds }
  package func encode(into encoder: inout WireEncoder) { encoder.write(device, inode, size, modificationSeconds, modificationNanoseconds, changeSeconds, changeNanoseconds) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (device, inode, size, modificationSeconds, modificationNanoseconds, changeSeconds, changeNanoseconds) = try decoder.read() }
}
package enum WitnessQuestion: Equatable, WireField {
  case whatRuns(Int32), runsForeignCode(Int32, user: UInt32)
  package func encode(into encoder: inout WireEncoder) {
    switch self {
    case .whatRuns(let v0): encoder.write(UInt8(0), v0)
    case .runsForeignCode(let v0, let v1): encoder.write(UInt8(1), v0, v1)
    }
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    switch try decoder.readByte() {
    case 0: self = .whatRuns(try Int32(from: &decoder))
    case 1: self = .runsForeignCode(try Int32(from: &decoder), user: try UInt32(from: &decoder))
    default: throw .invalidValue(field: "WitnessQuestion")
    }
  }
}
package struct ObservedProcess: WireField, Equatable {
  package let path: [UInt8], device: UInt64, inode: UInt64, startTime: UInt64, user: UInt32, controlGroup: String, confinement: String, isApart: Bool
  package init(path: [UInt8], device: UInt64, inode: UInt64, startTime: UInt64, user: UInt32, controlGroup: String, confinement: String, isApart: Bool) { self.path = path; self.device = device; self.inode = inode; self.startTime = startTime; self.user = user; self.controlGroup = controlGroup; self.confinement = confinement; self.isApart = isApart }
  package func encode(into encoder: inout WireEncoder) { encoder.write(path, device, inode, startTime, user, controlGroup, confinement, isApart) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (path, device, inode, startTime, user, controlGroup, confinement, isApart) = try decoder.read() }
}
package struct SealedObject: WireField, Equatable {
  package let publicArea: [UInt8], privateArea: [UInt8]
  package init(publicArea: [UInt8], privateArea: [UInt8]) { self.publicArea = publicArea; self.privateArea = privateArea }
  package func encode(into encoder: inout WireEncoder) { encoder.write(publicArea, privateArea) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { publicArea = try decoder.readBytes(limit: 1024); privateArea = try decoder.readBytes(limit: 1024) }
}
