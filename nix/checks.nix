# What `nix flake check` holds to: formatting, lints, tests, and the controls' known answers.
{
  pkgs,
  system,
  source,
  catalog,
  assay,
  prepared,
  toolchain,
}:
let
  # A build of the same sources with another cargo command; its result is that it succeeded.
  cargo =
    name: command:
    pkgs.rustPlatform.buildRustPackage {
      pname = "assay-${name}";
      inherit (assay) version;
      src = source;
      cargoLock.lockFile = ../Cargo.lock;
      nativeBuildInputs = [
        pkgs.clippy
        pkgs.rustfmt
        pkgs.util-linux
        toolchain
      ];
      buildPhase = command;
      installPhase = "touch $out";
      doCheck = false;
    };

  controls = builtins.filter (candidate: candidate ? package) (builtins.attrValues catalog);

  known-answers =
    candidate:
    let
      all = toString (builtins.length candidate.instance);
    in
    pkgs.runCommand "assay-${candidate.id}-known-answers" { } ''
      if ! grep -q '"PASS": ${all}$' ${prepared.${candidate.id}}/run.json; then
        echo "not all ${all} instances of ${candidate.id} pass:" >&2
        cat ${prepared.${candidate.id}}/run.json >&2
        exit 1
      fi
      touch $out
    '';
in
{
  fmt = cargo "fmt" "cargo fmt --all --check";
  clippy = cargo "clippy" "cargo clippy --workspace --all-targets --offline -- -D warnings";
  tests = cargo "tests" "cargo test --workspace --offline";
  bench-host = import ./bench-host-check.nix { inherit pkgs system; };
}
// builtins.listToAttrs (
  map (candidate: {
    name = "kat-${candidate.id}";
    value = known-answers candidate;
  }) controls
)
