# The catalog, from the same files that are embedded in the program: id to candidate.
let
  folder = ../candidates;
  files = builtins.filter (name: builtins.match ".*[.]toml" name != null) (
    builtins.attrNames (builtins.readDir folder)
  );
  candidates = map (name: builtins.fromTOML (builtins.readFile (folder + "/${name}"))) files;
in
builtins.listToAttrs (
  map (candidate: {
    name = candidate.id;
    value = candidate;
  }) candidates
)
