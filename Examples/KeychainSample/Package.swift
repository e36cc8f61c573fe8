// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "KeychainSample",
  dependencies: [.package(name: "authcore", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "KeychainSample",
      dependencies: [.product(name: "Security", package: "authcore")]),
    .testTarget(name: "KeychainSampleTests", dependencies: ["KeychainSample"]),
  ],
  swiftLanguageModes: [.v6]
)
