# What the program is made of, and nothing else: an edit of a document builds nothing anew.
let
  root = ../.;
  parts = [
    "Cargo.lock"
    "Cargo.toml"
    "artifacts"
    "candidates"
    "clippy.toml"
    "pipeline"
    "reports"
    "rustfmt.toml"
    "stages"
    "systems"
  ];
  top = toString root;
in
builtins.path {
  name = "assay-source";
  path = root;
  filter = path: _type: dirOf path != top || builtins.elem (baseNameOf path) parts;
}
