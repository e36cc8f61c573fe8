// swift-tools-version: 5.9
import PackageDescription

// A package as for Apple's systems: it does not mention authcore (make test-cryptokit).
let package = Package(
  name: "Vault",
  platforms: [.iOS(.v17), .macOS(.v14)],
  products: [.library(name: "Vault", targets: ["Vault"])],
  targets: [
    .target(name: "Vault"),
    .testTarget(name: "VaultTests", dependencies: ["Vault"]),
  ])
