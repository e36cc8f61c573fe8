// What using keys and algorithms fails with.

public import CoreFoundationTypes

/// The algorithm does not fit.
public let errSecAlgorithmMismatch: OSStatus = -67730
/// The key is for other uses.
public let errSecKeyUsageIncorrect: OSStatus = -67731
/// The sealed key is of another kind.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732
/// The header of the key contradicts itself.
public let errSecKeyHeaderInconsistent: OSStatus = -67733
/// Keys of this form are not read or written.
public let errSecUnsupportedKeyFormat: OSStatus = -67734
/// Keys of this size are not made or used.
public let errSecUnsupportedKeySize: OSStatus = -67735
/// The set of the key's uses is not valid.
public let errSecInvalidKeyUsageMask: OSStatus = -67736
/// Keys for such uses are not made.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737
/// The set of the key's attributes is not valid.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738
/// Keys with such attributes are not made.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739
/// The label of the key is not valid.
public let errSecInvalidKeyLabel: OSStatus = -67740
/// Keys with such a label are not made.
public let errSecUnsupportedKeyLabel: OSStatus = -67741
/// The form of the key is not valid.
public let errSecInvalidKeyFormat: OSStatus = -67742
/// Several pieces of memory are not taken.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743
/// The pieces of input are not valid.
public let errSecInvalidInputVector: OSStatus = -67744
/// The pieces of output are not valid.
public let errSecInvalidOutputVector: OSStatus = -67745
/// The context is not valid.
public let errSecInvalidContext: OSStatus = -67746
/// The algorithm is not valid.
public let errSecInvalidAlgorithm: OSStatus = -67747
/// The key given as an attribute is not valid.
public let errSecInvalidAttributeKey: OSStatus = -67748
/// A key is missing among the attributes.
public let errSecMissingAttributeKey: OSStatus = -67749
/// The initialization vector is not valid.
public let errSecInvalidAttributeInitVector: OSStatus = -67750
/// The initialization vector is missing.
public let errSecMissingAttributeInitVector: OSStatus = -67751
/// The salt is not valid.
public let errSecInvalidAttributeSalt: OSStatus = -67752
/// The salt is missing.
public let errSecMissingAttributeSalt: OSStatus = -67753
/// The padding is not valid.
public let errSecInvalidAttributePadding: OSStatus = -67754
/// The padding is missing.
public let errSecMissingAttributePadding: OSStatus = -67755
/// The random data is not valid.
public let errSecInvalidAttributeRandom: OSStatus = -67756
/// The random data is missing.
public let errSecMissingAttributeRandom: OSStatus = -67757
/// The seed is not valid.
public let errSecInvalidAttributeSeed: OSStatus = -67758
/// The seed is missing.
public let errSecMissingAttributeSeed: OSStatus = -67759
/// The passphrase is not valid.
public let errSecInvalidAttributePassphrase: OSStatus = -67760
/// The passphrase is missing.
public let errSecMissingAttributePassphrase: OSStatus = -67761
/// The length of the key is not valid.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762
/// The length of the key is missing.
public let errSecMissingAttributeKeyLength: OSStatus = -67763
/// The size of a block is not valid.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764
/// The size of a block is missing.
public let errSecMissingAttributeBlockSize: OSStatus = -67765
/// The size of the output is not valid.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766
/// The size of the output is missing.
public let errSecMissingAttributeOutputSize: OSStatus = -67767
/// The number of rounds is not valid.
public let errSecInvalidAttributeRounds: OSStatus = -67768
/// The number of rounds is missing.
public let errSecMissingAttributeRounds: OSStatus = -67769
/// The parameters of the algorithm are not valid.
public let errSecInvalidAlgorithmParms: OSStatus = -67770
/// The parameters of the algorithm are missing.
public let errSecMissingAlgorithmParms: OSStatus = -67771
/// The label is not valid.
public let errSecInvalidAttributeLabel: OSStatus = -67772
/// The label is missing.
public let errSecMissingAttributeLabel: OSStatus = -67773
/// The kind of the key is not valid.
public let errSecInvalidAttributeKeyType: OSStatus = -67774
/// The kind of the key is missing.
public let errSecMissingAttributeKeyType: OSStatus = -67775
/// The mode is not valid.
public let errSecInvalidAttributeMode: OSStatus = -67776
/// The mode is missing.
public let errSecMissingAttributeMode: OSStatus = -67777
/// The number of effective bits is not valid.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778
/// The number of effective bits is missing.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779
/// The start date is not valid.
public let errSecInvalidAttributeStartDate: OSStatus = -67780
/// The start date is missing.
public let errSecMissingAttributeStartDate: OSStatus = -67781
/// The end date is not valid.
public let errSecInvalidAttributeEndDate: OSStatus = -67782
/// The end date is missing.
public let errSecMissingAttributeEndDate: OSStatus = -67783
/// The version is not valid.
public let errSecInvalidAttributeVersion: OSStatus = -67784
/// The version is missing.
public let errSecMissingAttributeVersion: OSStatus = -67785
/// The prime is not valid.
public let errSecInvalidAttributePrime: OSStatus = -67786
/// The prime is missing.
public let errSecMissingAttributePrime: OSStatus = -67787
/// The base is not valid.
public let errSecInvalidAttributeBase: OSStatus = -67788
/// The base is missing.
public let errSecMissingAttributeBase: OSStatus = -67789
/// The smaller prime is not valid.
public let errSecInvalidAttributeSubprime: OSStatus = -67790
/// The smaller prime is missing.
public let errSecMissingAttributeSubprime: OSStatus = -67791
/// The number of iterations is not valid.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792
/// The number of iterations is missing.
public let errSecMissingAttributeIterationCount: OSStatus = -67793
/// The handle of the database is not valid.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794
/// The handle of the database is missing.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795
/// The credentials among the attributes are not valid.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796
/// Credentials are missing among the attributes.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797
/// The form of the public key is not valid.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798
/// The form of the public key is missing.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799
/// The form of the private key is not valid.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800
/// The form of the private key is missing.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801
/// The form of the symmetric key is not valid.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802
/// The form of the symmetric key is missing.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803
/// The form of the wrapped key is not valid.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804
/// The form of the wrapped key is missing.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805
/// An operation in several steps is under way.
public let errSecStagedOperationInProgress: OSStatus = -67806
/// No operation in several steps is under way.
public let errSecStagedOperationNotStarted: OSStatus = -67807
/// The signature or the code of authentication is wrong.
public let errSecVerifyFailed: OSStatus = -67808
/// How large the result will be is not known.
public let errSecQuerySizeUnknown: OSStatus = -67809
/// The data is no whole number of blocks.
public let errSecBlockSizeMismatch: OSStatus = -67810
/// The public key contradicts itself.
public let errSecPublicKeyInconsistent: OSStatus = -67811
/// The device could not be verified.
public let errSecDeviceVerifyFailed: OSStatus = -67812
/// The name to log in with is not valid.
public let errSecInvalidLoginName: OSStatus = -67813
/// Somebody is logged in already.
public let errSecAlreadyLoggedIn: OSStatus = -67814
/// The hash is not one for this.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815
