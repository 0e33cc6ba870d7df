# Read first by every build here: where this machine's tools are. Builds run outside of a sandbox, as
# the user whose cargo it is.
set -euo pipefail
home=$(PATH=/usr/bin:/bin getent passwd "$(/usr/bin/id -u)" | /usr/bin/cut -d: -f6)
export RUSTUP_HOME=$home/.rustup
crates=$home/.cargo/registry/cache
PATH=$home/.cargo/bin:/usr/local/bin:/usr/bin:/bin
for input in ${nativeBuildInputs:-}; do PATH=$input/bin:$PATH; done
export PATH HOME=$NIX_BUILD_TOP

# The first of these commands that this machine has, as a path.
first() {
  for name in "$@"; do
    if command -v "$name"; then return; fi
  done
  echo "this machine has none of: $*; install one" >&2
  return 1
}
