/* The parts of Debian's libcrypto 3 that Sources/Cryptography uses, and getrandom(2), which the Glibc module leaves out. */
#include <openssl/bn.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <sys/random.h>

/* EVP_PKEY_KEYPAIR and EVP_PKEY_PUBLIC_KEY, which are expressions that Swift does not import. */
static const int ac_key_pair = EVP_PKEY_KEYPAIR;
static const int ac_public_key = EVP_PKEY_PUBLIC_KEY;
