# One derivation a control and a catalogued candidate: its builds and known answers, as a store that
# `campaign run --take` takes over. So Nix's remote builders and binary caches spread the work.
{
  pkgs,
  catalog,
  commands,
}:
let
  archive =
    candidate:
    pkgs.requireFile {
      name = candidate.archive.file;
      sha256 = candidate.archive.sha256;
      message = ''
        The submission ${candidate.id} (${candidate.name}) cannot be fetched: it is handed out by its authors.
        Bring ${candidate.archive.file} and add it to the Nix store, which checks its SHA-256:

          nix-store --add-fixed sha256 ${candidate.archive.file}
      '';
    };

  prepare =
    candidate:
    pkgs.runCommand "assay-${candidate.id}" { } ''
      export HOME=$PWD ASSAY_STORE=$out/store ASSAY_OUT=$PWD/site
      mkdir -p $out
      ${
        if candidate ? archive then
          "${commands.campaign}/bin/campaign add-source ${candidate.id} ${archive candidate}"
        else
          ""
      }
      ${commands.campaign}/bin/campaign --json run --stages build,kat --only '^${candidate.id}/' > $out/run.json
    '';

  # A candidate that is no control and has no archive cannot be had.
  available = builtins.filter (candidate: candidate ? package || candidate ? archive) (
    builtins.attrValues catalog
  );
in
builtins.listToAttrs (
  map (candidate: {
    name = candidate.id;
    value = prepare candidate;
  }) available
)
