# The attributes of nixpkgs that assay uses (../README.md lists them), made from what this machine has.
# They take the arguments that assay gives and no others.
{ system }:
let
  run =
    name: attributes: script:
    derivation (
      attributes
      // {
        inherit name system;
        builder = "/bin/bash";
        args = [
          "-c"
          ''
            source ${./machine.sh}
            ${script}
          ''
        ];
      }
    );

  # A package of links to commands of this machine; each entry is a name and what may stand behind it.
  tools =
    name: commands:
    run name { } ''
      mkdir -p $out/bin
      ${builtins.concatStringsSep "\n" (
        map (
          command: "ln -s $(first ${builtins.concatStringsSep " " commands.${command}}) $out/bin/${command}"
        ) (builtins.attrNames commands)
      )}
    '';
  same =
    names:
    builtins.listToAttrs (
      map (name: {
        inherit name;
        value = [ name ];
      }) names
    );

  # This version of GCC where the machine has it, else the GCC that it has.
  gcc =
    version:
    tools "host-gcc" (
      same [
        "ar"
        "as"
        "ld"
        "nm"
        "objcopy"
        "objdump"
        "ranlib"
        "readelf"
        "size"
        "strip"
      ]
      // {
        gcc = [
          "gcc-${version}"
          "gcc"
        ];
        "g++" = [
          "g++-${version}"
          "g++"
        ];
      }
    )
    // {
      suffixSalt = "host";
    };

  script =
    name: text:
    run name
      {
        inherit text;
        passAsFile = [ "text" ];
      }
      ''
        mkdir -p $out/bin
        { echo '#!/bin/bash'; cat $textPath; } > $out/bin/${name}
        chmod +x $out/bin/${name}
      '';

  importCargoLock =
    { lockFile }:
    let
      locked = builtins.filter (one: one ? checksum) (
        builtins.fromTOML (builtins.readFile lockFile)
      ).package;
    in
    run "cargo-vendor-dir" {
      packages = builtins.concatStringsSep "\n" (
        map (one: "${one.name} ${one.version} ${one.checksum}") locked
      );
    } "source ${./vendor.sh}";

  buildRustPackage =
    arguments:
    run "${arguments.pname}-${arguments.version}" (
      builtins.removeAttrs arguments [ "cargoLock" ]
      // {
        cargoDeps = importCargoLock arguments.cargoLock;
      }
    ) "source ${./rust.sh}"
    // {
      inherit (arguments) version;
    };
in
{
  gcc14 = gcc "14";
  gcc15 = gcc "15";
  cargo = tools "host-cargo" (same [ "cargo" ]);
  rustc = tools "host-rustc" (same [ "rustc" ]);
  clippy = tools "host-clippy" (same [
    "cargo-clippy"
    "clippy-driver"
  ]);
  rustfmt = tools "host-rustfmt" (same [
    "cargo-fmt"
    "rustfmt"
  ]);
  util-linux = tools "host-util-linux" (same [ "taskset" ]);
  rustPlatform = { inherit buildRustPackage importCargoLock; };
  runCommand = run;
  writeShellScriptBin = script;
  mkShell = { packages }: run "shell" { nativeBuildInputs = packages; } "touch $out";
  requireFile =
    {
      name,
      sha256,
      message,
    }:
    run name {
      inherit message;
      outputHash = sha256;
      outputHashAlgo = "sha256";
      outputHashMode = "flat";
    } ''echo "$message" >&2; exit 1'';
}
