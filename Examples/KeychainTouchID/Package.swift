// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "KeychainTouchID",
  dependencies: [.package(name: "authcore", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "KeychainTouchID",
      dependencies: [.product(name: "LocalAuthentication", package: "authcore")]),
    .testTarget(name: "KeychainTouchIDTests", dependencies: ["KeychainTouchID"]),
  ],
  swiftLanguageModes: [.v6]
)
