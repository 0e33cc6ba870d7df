# Builds a cargo workspace from vendored packages, as nixpkgs' buildRustPackage does.
cp -r "$src" source
chmod -R u+w source
cd source
mkdir -p .cargo
cat > .cargo/config.toml <<END
[source.crates-io]
replace-with = "vendored-sources"
[source.vendored-sources]
directory = "$cargoDeps"
END
export CARGO_HOME=$NIX_BUILD_TOP/cargo
if [ -n "${buildPhase:-}" ]; then
  eval "$buildPhase"
else
  cargo build --release --offline --locked
fi
if [ -n "${installPhase:-}" ]; then
  eval "$installPhase"
else
  mkdir -p "$out/bin"
  find target/release -maxdepth 1 -type f -executable -exec install -t "$out/bin" {} +
fi
eval "${postInstall:-}"
