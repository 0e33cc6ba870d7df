# The C toolchains that the registered systems name, as a system's file says: `compiler = "gcc"` and
# `version = "14"` are nixpkgs' gcc14.
#
# nixpkgs wraps its compilers. The guide's options are all that a candidate is to be compiled with, so
# the wrapper's hardening is off, and so are the store paths it would write into a library's RUNPATH:
# a library is its machine code. A C++ library needs them, to find libstdc++ as it is loaded.
{ pkgs, system }:
let
  folder = ../systems;
  files = builtins.filter (name: builtins.match ".*[.]toml" name != null && name != "Cargo.toml") (
    builtins.attrNames (builtins.readDir folder)
  );
  described = map (name: builtins.fromTOML (builtins.readFile (folder + "/${name}"))) files;
  here = builtins.filter (one: "${one.architecture}-linux" == system) described;

  attribute = one: one.toolchain.compiler + builtins.head (builtins.splitVersion one.toolchain.version);

  plain =
    one:
    let
      cc = pkgs.${attribute one};
      compiler =
        name: settings:
        pkgs.writeShellScriptBin name ''
          export NIX_HARDENING_ENABLE= NIX_HARDENING_ENABLE_${cc.suffixSalt}=
          ${settings}
          exec ${cc}/bin/${name} "$@"
        '';
      gcc = compiler "gcc" "export NIX_DONT_SET_RPATH=1 NIX_DONT_SET_RPATH_${cc.suffixSalt}=1";
      gxx = compiler "g++" "";
    in
    pkgs.runCommand "assay-toolchain-${attribute one}" { } ''
      mkdir -p $out/bin
      ln -s ${cc}/bin/* $out/bin/
      # Copied, so that the compiler's real path names this toolchain in the facet.
      cp --remove-destination ${gcc}/bin/gcc $out/bin/gcc
      cp --remove-destination ${gxx}/bin/g++ $out/bin/g++
      ln -sf gcc $out/bin/cc
      ln -sf g++ $out/bin/c++
    '';
in
{
  # By the name of their system.
  packages = builtins.listToAttrs (
    map (one: {
      name = "toolchain-${one.id}";
      value = plain one;
    }) here
  );
  # That of the first registered system of this platform.
  default = plain (builtins.head here);
}
