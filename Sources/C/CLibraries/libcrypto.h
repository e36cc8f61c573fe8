/* The parts of Debian's libcrypto 3 that Sources/Crypto/Cryptography and Sources/Apple/Security use, and getrandom(2), which the Glibc module leaves out. */
/* Loading an EC_KEY takes a microsecond. An EVP_PKEY takes as long as two signatures, because it looks up its group by name. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/asn1.h>
#include <openssl/bn.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdh.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <sys/random.h>
