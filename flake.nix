{
  description = "assay: reproducible measurement campaigns for cryptographic C implementations";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-26.05";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
      ];
      eachSystem =
        pick:
        builtins.listToAttrs (
          map (system: {
            name = system;
            value = pick (
              import ./nix {
                inherit system;
                pkgs = nixpkgs.legacyPackages.${system};
              }
            );
          }) systems
        );
    in
    {
      packages = eachSystem (assay: assay.packages);
      apps = eachSystem (assay: assay.apps);
      checks = eachSystem (assay: assay.checks);
      devShells = eachSystem (assay: { default = assay.shell; });
      formatter = eachSystem (assay: assay.formatter);
      nixosModules.bench-host = import ./nix/bench-host.nix self;
    };
}
