using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Diagnosis;

/// <summary>Min and max in the three spellings that the runtime reads, and where a configuration forces them now.</summary>
static class LimitSetting
{
    /// <summary>
    /// More workers are not recommended: each has a stack and, once they all become runnable, they queue for the processors instead.
    /// </summary>
    public const int MostWorkers = 256;

    /// <summary>
    /// The next number upward that is round: what is reckoned from counter samples moves by a few with each of them, and nobody is to
    /// choose between 41, 44 and 43. A few worker threads more help as well.
    /// </summary>
    public static long Round(long count)
    {
        var step = count switch { <= 40 => 5, <= 100 => 10, _ => 20 };
        return (count + step - 1) / step * step;
    }

    public static string Min(int wanted, TargetFacts target) => Spelling("Min", wanted, target);

    public static string Max(int wanted, TargetFacts target) => Spelling("Max", wanted, target);

    /// <summary>A sentence on the configuration that forces the limit now, after a blank; empty where none does.</summary>
    public static string InForce(string which, TargetFacts target) => Forced(which, target) is { } now
        ? $" While {now.Name} exists (now {now.Value}{Decimal(which, target)}), "
            + $"calls to Set{which}Threads have no effect."
        : "";

    /// <summary>The setting that forces the limit, or null: the runtime ignores 0, and a max below the min.</summary>
    public static PoolSetting? Forced(string which, TargetFacts target) =>
        PoolLimits.Forced(target.Settings) is var (min, max) && (which == "Min" ? min : max).Value is not null
            ? Variable(which, target) ?? PoolSwitch.Of(target, $"{which}Threads")
            : null;

    // Whatever its value, it hides the entry in runtimeconfig.json.
    static PoolSetting? Variable(string which, TargetFacts target) => PoolSwitch.Of(target, $"Force{which}WorkerThreads");

    static string Spelling(string which, int wanted, TargetFacts target)
    {
        var call = Forced(which, target) is null ? $"ThreadPool.Set{which}Threads({wanted}, {Other(which, target)}), or " : "";
        var entry = Variable(which, target) is null
            ? $"\"System.Threading.ThreadPool.{which}Threads\": {wanted} in runtimeconfig.json, or "
            : "";
        return call + entry + InEnvironment(which, wanted);
    }

    // The second number is that of threads for completed I/O on Windows: what it is by default, so that the line can be pasted.
    static string Other(string which, TargetFacts target) => which == "Max" ? "1000"
        : target.Processors.Value is { } processors ? processors.ToString(CultureInfo.InvariantCulture) : "…";

    static string Decimal(string which, TargetFacts target) => (which == "Min" ? target.MinWorkers : target.MaxWorkers)
        is { Source: SettingSource.Environment, Value: > 9 and var count } ? $", hexadecimal for {count}" : "";

    // The runtime reads the variable's number as hexadecimal.
    static string InEnvironment(string which, int wanted) => string.Create(
        CultureInfo.InvariantCulture, $"DOTNET_ThreadPool_Force{which}WorkerThreads=0x{wanted:X} (hexadecimal for {wanted})");
}
