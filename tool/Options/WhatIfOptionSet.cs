using System.CommandLine;
using Tpwatch.Pool;
using Tpwatch.WhatIf;

namespace Tpwatch.Options;

/// <summary>The options of <c>whatif</c>: the settings to change in the simulation.</summary>
sealed class WhatIfOptionSet
{
    /// <summary>Maximum number of worker threads; the runtime counts worker threads in 16 bits.</summary>
    const int MostWorkers = 32_767;

    /// <summary>Maximum number of processors that the runtime's environment variable accepts.</summary>
    const int MostProcessors = 65_535;

    const string Hint = "give at least one of --min N, --max N, --processors N, --async, --policy portable|native|clr35|clr11|rotor";

    readonly Option<int?> min = OptionKinds.Number("--min", [], "Change MinThreads to N.", 1, MostWorkers);

    readonly Option<int?> max = OptionKinds.Number("--max", [], "Change MaxThreads to N.", 1, MostWorkers);

    readonly Option<int?> processors = OptionKinds.Number(
        "--processors", [], "Change the number of processors to N. MinThreads also becomes N if it was equal to the number of "
            + "processors.", 1, MostProcessors);

    readonly Option<bool> async = new("--async") { Description = "Let items await instead of blocking." };

    // No default: without this option, the simulation uses the target's own thread pool.
    readonly Option<string?> policy = new("--policy")
    {
        Description = "Use another thread pool; see dotnet tpwatch help policy.",
        HelpName = "portable|native|clr35|clr11|rotor",
        CompletionSources = { "portable", "native", "clr35", "clr11", "rotor" },
        CustomParser = result =>
            Enum.GetNames<PolicyKind>().FirstOrDefault(w => w.Equals(OptionKinds.Text(result), StringComparison.OrdinalIgnoreCase))
                ?? OptionKinds.Refuse<string?>(result, $"'{OptionKinds.Text(result)}' is not a value of --policy",
                    "choose one of portable, native, clr35, clr11, rotor"),
    };

    readonly Option<string?> clock = OptionKinds.Choice(
        "--clock", "Timing of gate checks: as measured on Linux, or as assumed for the default Windows timer", "linux", "windows");

    /// <summary>Declares the options on a command.</summary>
    public void AddTo(Command command)
    {
        foreach (var option in (Option[])[min, max, processors, async, policy, clock])
        {
            command.Options.Add(option);
        }
    }

    /// <summary>Returns the change that the options request.</summary>
    /// <exception cref="UserErrorException">The options request no change, or MinThreads is above MaxThreads.</exception>
    public WhatIfChange Read(ParseResult parse)
    {
        var change = new WhatIfChange
        {
            Min = parse.GetValue(min),
            Max = parse.GetValue(max),
            Processors = parse.GetValue(processors),
            Async = parse.GetValue(async),
            Policy = parse.GetValue(policy) is { } name ? Enum.Parse<PolicyKind>(name) : null,
            WindowsClock = parse.GetValue(clock) == "windows",
        };
        return change.IsNone ? throw Refused("no change is given", Hint)
            : change is { Min: { } low, Max: { } high }
                && low > high ? throw Refused(
                    $"--min {Text(low)} is larger than --max {Text(high)}", "MinThreads must not be larger than MaxThreads")
            : change;
    }

    /// <summary>Refuses a change that is impossible for a pool with these settings.</summary>
    /// <exception cref="UserErrorException">MinThreads would be above MaxThreads.</exception>
    public static void Check(WhatIfChange change, PoolSettings settings)
    {
        var changed = change.Applied(settings);
        if (change.Policy is null or PolicyKind.Portable or PolicyKind.Native && changed.Max < changed.Min)
        {
            throw Refused(
                $"MinThreads {Text(changed.Min)} would be larger than MaxThreads {Text(changed.Max!.Value)}",
                change.Min is null ? $"also give --min {Text(changed.Max.Value)} or less" : $"also give --max {Text(changed.Min)} or more");
        }
    }

    static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);

    static UserErrorException Refused(string sentence, string hint) => new(sentence, hint, ExitCode.Arguments);
}
