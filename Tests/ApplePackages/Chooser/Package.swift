// swift-tools-version: 5.9
import PackageDescription

// A package for several systems, which does not mention authcore (make test-cryptokit).
let package = Package(
  name: "Chooser",
  dependencies: [.package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"5.0.0")],
  targets: [
    .executableTarget(
      name: "Chooser", dependencies: [.product(name: "Crypto", package: "swift-crypto")])
  ])
