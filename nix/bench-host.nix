# A NixOS module that fixes a lab machine for measuring, so that `campaign check` has nothing to say:
# governor, turbo, SMT, the cycle counter, a core of its own for measuring, and a service that looks
# again after every boot.
#
#   imports = [ assay.nixosModules.bench-host ];
#   assay.bench-host = { enable = true; system = "x86_1"; measuringCore = 2; clockKhz = 2100000; };
self:
{
  config,
  lib,
  pkgs,
  ...
}:
let
  host = config.assay.bench-host;
  core = toString host.measuringCore;
  campaign = self.apps.${pkgs.stdenv.hostPlatform.system}.campaign.program;
  cpus = "/sys/devices/system/cpu";
in
{
  options.assay.bench-host = {
    enable = lib.mkEnableOption "measuring with assay on this machine";
    system = lib.mkOption {
      type = lib.types.str;
      default = "local";
      description = "The registered system that this machine is.";
    };
    measuringCore = lib.mkOption {
      type = lib.types.ints.unsigned;
      default = 2;
      description = "The CPU that measures; nothing else is scheduled there. On hybrid processors, a performance core.";
    };
    clockKhz = lib.mkOption {
      type = lib.types.nullOr lib.types.ints.positive;
      default = null;
      description = "The clock of the measuring core in kHz; by default the highest that is allowed without turbo.";
    };
  };

  config = lib.mkIf host.enable {
    boot.kernelParams = [
      "isolcpus=${core}"
      "nohz_full=${core}"
      "rcu_nocbs=${core}"
      "nosmt"
      "nmi_watchdog=0"
    ];
    # 2: a user's own processes may be counted, the kernel may not.
    boot.kernel.sysctl."kernel.perf_event_paranoid" = 2;
    powerManagement.cpuFreqGovernor = "performance";
    # It would move interrupts to the measuring core.
    services.irqbalance.enable = false;

    systemd.services.assay-clock = {
      description = "Fix the clock for measuring";
      wantedBy = [ "multi-user.target" ];
      after = [ "cpufreq.service" ];
      serviceConfig.Type = "oneshot";
      # Which of these files there are depends on the processor's frequency driver.
      script = ''
        set_to() { if [ -w "$2" ]; then echo "$1" > "$2"; fi; }
        set_to 1 ${cpus}/intel_pstate/no_turbo
        set_to 0 ${cpus}/cpufreq/boost
        policy=${cpus}/cpu${core}/cpufreq
        clock=${if host.clockKhz == null then "$(cat $policy/scaling_max_freq)" else toString host.clockKhz}
        set_to "$clock" $policy/scaling_max_freq
        set_to "$clock" $policy/scaling_min_freq
      '';
    };

    systemd.services.assay-check = {
      description = "Whether this host is fit for measuring";
      wantedBy = [ "multi-user.target" ];
      after = [ "assay-clock.service" ];
      environment.ASSAY_STORE = "/var/lib/assay/store";
      serviceConfig = {
        Type = "oneshot";
        StateDirectory = "assay";
        ExecStart = "${campaign} --system ${host.system} check --cpu ${core}";
      };
    };
  };
}
