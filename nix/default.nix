# Everything the flake gives for one platform.
{ pkgs, system }:
let
  catalog = import ./catalog.nix;
  source = import ./source.nix;
  toolchains = import ./toolchains.nix { inherit pkgs system; };
  assay = import ./package.nix { inherit pkgs source catalog; };
  commands = import ./commands.nix { inherit pkgs assay toolchains; };
  prepared = import ./prepared.nix { inherit pkgs catalog commands; };
in
{
  packages = prepared // toolchains.packages // { default = assay; };
  apps = rec {
    default = campaign;
    campaign = {
      type = "app";
      program = "${commands.campaign}/bin/campaign";
    };
    audit = {
      type = "app";
      program = "${commands.audit}/bin/audit";
    };
  };
  checks = import ./checks.nix {
    inherit
      pkgs
      system
      source
      catalog
      assay
      prepared
      ;
    toolchain = toolchains.default;
  };
  shell = pkgs.mkShell {
    packages = [
      toolchains.default
      pkgs.cargo
      pkgs.clippy
      pkgs.rustc
      pkgs.rustfmt
      pkgs.util-linux
    ];
  };
  # `nix fmt`: what CI checks.
  formatter = pkgs.writeShellScriptBin "assay-fmt" ''
    PATH=${pkgs.rustfmt}/bin:$PATH exec ${pkgs.cargo}/bin/cargo fmt --all
  '';
}
