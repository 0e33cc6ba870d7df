# Evaluates the NixOS module to its last string without NixOS: with as much of nixpkgs' `lib` as it
# uses, which takes every option as it is given.
{ pkgs, system }:
let
  lib = {
    mkEnableOption = description: { inherit description; };
    mkOption = option: option;
    mkIf = condition: settings: if condition then settings else { };
    types = {
      str = "str";
      nullOr = type: type;
      ints = {
        unsigned = "unsigned";
        positive = "positive";
      };
    };
  };
  flake.apps.${system}.campaign.program = "campaign";
  evaluated =
    host:
    (import ./bench-host.nix flake {
      config.assay.bench-host = host;
      inherit lib;
      pkgs.stdenv.hostPlatform.system = system;
    }).config;
  fixed = evaluated {
    enable = true;
    system = "x86_1";
    measuringCore = 2;
    clockKhz = 2100000;
  };
in
assert evaluated { enable = false; } == { };
assert builtins.elem "isolcpus=2" fixed.boot.kernelParams;
assert
  fixed.systemd.services.assay-check.serviceConfig.ExecStart
  == "campaign --system x86_1 check --cpu 2";
pkgs.runCommand "assay-bench-host" { settings = builtins.toJSON fixed; } ''
  echo "$settings" > $out
''
