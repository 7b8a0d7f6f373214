using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Diagnosis;

/// <summary>MinThreads and MaxThreads in the three spellings that the runtime reads, and the configuration that forces them now.</summary>
static class LimitSetting
{
    /// <summary>
    /// The largest recommended number of worker threads: each has a stack, and when many become runnable, they queue for the processors
    /// instead.
    /// </summary>
    public const int MostWorkers = 256;

    /// <summary>
    /// The next round number upward: a value computed from counter samples changes slightly with each of them, and users should not have to
    /// choose between 41, 44 and 43. A few more worker threads work as well.
    /// </summary>
    public static long Round(long count)
    {
        var step = count switch { <= 40 => 5, <= 100 => 10, _ => 20 };
        return (count + step - 1) / step * step;
    }

    public static string Min(int wanted, TargetFacts target) => Spelling("Min", wanted, target);

    public static string Max(int wanted, TargetFacts target) => Spelling("Max", wanted, target);

    /// <summary>A sentence about the configuration that forces the limit now, after a blank; empty when none does.</summary>
    public static string InForce(string which, TargetFacts target) => Forced(which, target) is { } now
        ? $" While {now.Name} exists (now {now.Value}{Decimal(which, target)}), calls to Set{which}Threads have no effect."
        : "";

    /// <summary>The setting that forces the limit, or null: the runtime ignores 0, and a MaxThreads below MinThreads.</summary>
    public static PoolSetting? Forced(string which, TargetFacts target) =>
        PoolLimits.Forced(target.Settings) is var (min, max) && (which == "Min" ? min : max).Value is not null
            ? Variable(which, target) ?? PoolSwitch.Of(target, $"{which}Threads")
            : null;

    // Whatever its value, the variable hides the entry in runtimeconfig.json.
    static PoolSetting? Variable(string which, TargetFacts target) => PoolSwitch.Of(target, $"Force{which}WorkerThreads");

    static string Spelling(string which, int wanted, TargetFacts target)
    {
        var call = Forced(which, target) is null ? $"ThreadPool.Set{which}Threads({wanted}, {Other(which, target)}), or " : "";
        var entry = Variable(which, target) is null
            ? $"\"System.Threading.ThreadPool.{which}Threads\": {wanted} in runtimeconfig.json, or "
            : "";
        return call + entry + InEnvironment(which, wanted);
    }

    // The second number limits threads for completed I/O on Windows. The default is used, so that users can paste the line.
    static string Other(string which, TargetFacts target) => which == "Max" ? "1000"
        : target.Processors.Value is { } processors ? processors.ToString(CultureInfo.InvariantCulture) : "…";

    static string Decimal(string which, TargetFacts target) => (which == "Min" ? target.MinWorkers : target.MaxWorkers)
        is { Source: SettingSource.Environment, Value: > 9 and var count } ? $", hexadecimal for {count}" : "";

    // The runtime reads the variable's number as hexadecimal.
    static string InEnvironment(string which, int wanted) => string.Create(
        CultureInfo.InvariantCulture, $"DOTNET_ThreadPool_Force{which}WorkerThreads=0x{wanted:X} (hexadecimal for {wanted})");
}
