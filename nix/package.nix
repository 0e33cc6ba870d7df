# All of assay's binaries, and the controls' sources: an installed assay needs neither cargo nor a
# network. Catalog, systems and the probe's C sources are in the binaries.
{
  pkgs,
  source,
  catalog,
}:
let
  cargoLock.lockFile = ../Cargo.lock;
  vendored = pkgs.rustPlatform.importCargoLock cargoLock;
  # Every control names the package that holds PQClean; Cargo.lock pins it.
  inherit (catalog.ml-kem) package;
in
pkgs.rustPlatform.buildRustPackage {
  pname = "assay";
  version = (builtins.fromTOML (builtins.readFile ../Cargo.toml)).workspace.package.version;
  src = source;
  inherit cargoLock;
  # The flake's checks run the tests.
  doCheck = false;
  postInstall = ''
    mkdir -p $out/share/assay
    cp -rL ${vendored}/${package.name}-${package.version}/pqclean $out/share/assay/pqclean
  '';
}
