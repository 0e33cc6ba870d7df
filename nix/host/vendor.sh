# The packages that a Cargo.lock pins, from the files that this machine's cargo downloaded before, each
# checked against the lock file's SHA-256. `packages`: lines of name, version and checksum.
mkdir -p "$out"
while read -r name version checksum; do
  file=$(find "$crates" -maxdepth 2 -name "$name-$version.crate" | head -n 1)
  if [ -z "$file" ]; then
    echo "$name $version is not among this machine's packages: run \`cargo fetch --locked\` once, with a network" >&2
    exit 1
  fi
  echo "$checksum  $file" | sha256sum --check --quiet
  tar -xzf "$file" -C "$out" --no-same-owner
  printf '{"files":{},"package":"%s"}' "$checksum" > "$out/$name-$version/.cargo-checksum.json"
done <<< "$packages"
