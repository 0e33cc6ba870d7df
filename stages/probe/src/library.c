/* See library.h. */
#include "library.h"

#include <dlfcn.h>
#include <string.h>

const char *kind_name(enum kind kind)
{
    static const char *const names[] = {"kem", "sig", "hash", "kex"};
    return names[kind];
}

int library_symbol(const struct library *library, const char *name, void *target)
{
    void *address = dlsym(library->handle, name);

    /* ISO C has no cast from an object pointer to a function pointer */
    memcpy(target, &address, sizeof address);
    return address != NULL;
}

static void need(const struct library *library, const char *name, void *target)
{
    if (!library_symbol(library, name, target))
        finish("loadfail the library does not export %s", name);
}

/* Calls the library's `name`, as `size NAME` a fact of the report. */
static u64 size(const struct library *library, const char *what, const char *name)
{
    u64 (*get)(void);
    u64 bytes;

    need(library, name, &get);
    bytes = get();
    report("size %s %llu", what, bytes);
    return bytes;
}

static void open_kem(struct library *library)
{
    library->pk_bytes = size(library, "pk", "kem_get_pk_len_bytes");
    library->sk_bytes = size(library, "sk", "kem_get_sk_len_bytes");
    library->ct_bytes = size(library, "ct", "kem_get_ct_len_bytes");
    library->ss_bytes = size(library, "ss", "kem_get_ss_len_bytes");
    need(library, "kem_keygen", &library->kem_keygen);
    need(library, "kem_enc", &library->kem_enc);
    need(library, "kem_dec", &library->kem_dec);
}

static void open_sig(struct library *library)
{
    library->pk_bytes = size(library, "pk", "sig_get_pk_len_bytes");
    library->sk_bytes = size(library, "sk", "sig_get_sk_len_bytes");
    library->sn_bytes = size(library, "sn", "sig_get_sn_len_bytes");
    need(library, "sig_keygen", &library->sig_keygen);
    need(library, "sig_sign", &library->sig_sign);
    need(library, "sig_verify", &library->sig_verify);
}

static void open_hash(struct library *library)
{
    const int *digest_bits;

    need(library, "assay_digest_bits", &digest_bits);
    if (*digest_bits <= 0)
        finish("loadfail assay_digest_bits is %d", *digest_bits);
    library->digest_bits = *digest_bits;
    library->digest_bytes = ((u64)*digest_bits + 7) / 8;
    report("size digest %llu", library->digest_bytes);
    need(library, "CryptHash", &library->hash);
}

void library_open(struct library *library, const char *path)
{
    /* the function whose presence tells the kind, in the order of enum kind */
    static const char *const telling[] = {"kem_keygen", "sig_keygen", "CryptHash", "kex_init_a"};
    unsigned kind;
    void *found;

    memset(library, 0, sizeof *library);
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library->handle == NULL)
        finish("loadfail %s", dlerror());
    for (kind = 0; kind < 4 && !library_symbol(library, telling[kind], &found); kind++)
        ;
    if (kind == 4)
        finish("loadfail the library exports none of kem_keygen, sig_keygen, CryptHash, kex_init_a");
    library->kind = (enum kind)kind;
    report("kind %s", kind_name(library->kind));

    need(library, "assay_instance", &library->instance);
    report("instance %s", library->instance);
    if (library->kind == KIND_KEX)
        finish("unsupported key exchange is not measured yet");
    if (library->kind != KIND_HASH) {
        need(library, "assay_seed", &library->seed);
        need(library, "assay_random", &library->random);
    }
    if (library->kind == KIND_KEM)
        open_kem(library);
    else if (library->kind == KIND_SIG)
        open_sig(library);
    else
        open_hash(library);
}
