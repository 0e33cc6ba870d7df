{
  description = "This machine's own tools under the few names of nixpkgs that assay uses";

  outputs =
    { self }:
    {
      legacyPackages = builtins.listToAttrs (
        map
          (system: {
            name = system;
            value = import ./packages.nix { inherit system; };
          })
          [
            "x86_64-linux"
            "aarch64-linux"
          ]
      );
    };
}
