# The programs that users start: the package with its system's toolchain before everything else.
{
  pkgs,
  assay,
  toolchains,
}:
let
  command =
    name: call:
    pkgs.writeShellScriptBin name ''
      export PATH=${toolchains.default}/bin:${pkgs.util-linux}/bin:$PATH
      exec ${assay}/bin/${call} "$@"
    '';
in
{
  campaign = command "campaign" "campaign";
  audit = command "audit" "campaign audit";
}
