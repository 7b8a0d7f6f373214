using System.CommandLine;
using Tpwatch.Export;
using Tpwatch.Pool;
using Tpwatch.Run;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Cli;

/// <summary>The command <c>whatif</c>: simulates the observed work items with other settings or another runtime's pool.</summary>
sealed class WhatIfCommand(CommandContext context)
{
    readonly WhatIfOptionSet change = new();
    readonly DocumentRun look = new(context, "answers", hasVerbose: false, CaptureDepth.Basic, "text", "json");

    public Command Create() =>
        new Command("whatif", "Simulate how the same work items would have run under another configuration or runtime.")
            .With([.. change.All, .. look.All]).Does(RunAsync);

    async Task<int> RunAsync(ParseResult parse)
    {
        var wanted = change.Read(parse);
        return await look.RunAsync(parse, (report, printed) => Render(report, Answer(report, wanted), printed));
    }

    static WhatIfAnswer Answer(PoolReport report, WhatIfChange wanted)
    {
        var study = WhatIfStudy.Of(report, new MeasuredItems(new EstimatedItems()), out var missing)
            ?? throw new UserErrorException(
                missing!, "watch for a shorter time, with counter samples and while items wait", ExitCode.Arguments);
        WhatIfOptionSet.Check(wanted, study.Settings);
        return study.Answer(wanted);
    }

    string Render(PoolReport report, WhatIfAnswer answer, OutputRequest printed) => printed.Format == "json"
        ? JsonWhatIfRenderer.Render(report, answer, context.Time.GetUtcNow().UtcDateTime, ToolVersion.Text, printed.ShowCommandLine)
        : WhatIfRenderer.Render(report, answer);
}

/// <summary>The options of <c>whatif</c>: the settings that the simulation changes.</summary>
sealed class WhatIfOptionSet
{
    /// <summary>Maximum number of worker threads; the runtime counts worker threads in 16 bits.</summary>
    const int MostWorkers = 32_767;

    /// <summary>Maximum number of processors that the environment variable DOTNET_PROCESSOR_COUNT accepts.</summary>
    const int MostProcessors = 65_535;

    const string Hint = "give at least one of --min N, --max N, --processors N, --async, --policy portable|native|clr35|clr11|rotor";

    readonly Option<int?> min = OptionKinds.Number("--min", [], "Change MinThreads to N.", 1, MostWorkers);

    readonly Option<int?> max = OptionKinds.Number("--max", [], "Change MaxThreads to N.", 1, MostWorkers);

    readonly Option<int?> processors = OptionKinds.Number(
        "--processors", [], "Change the number of processors to N. MinThreads also becomes N if it was equal to the number of "
            + "processors.", 1, MostProcessors);

    readonly Option<bool> async = OptionKinds.Flag("--async", "Let items await instead of blocking.");

    // Has no default word: without the option, the simulation uses the pool of the target's own runtime.
    readonly Option<string?> policy = OptionKinds.OneOf(
        "--policy", "Use another thread pool; see dotnet tpwatch help policy.", ["portable", "native", "clr35", "clr11", "rotor"],
        "is not a value of --policy", "choose one of portable, native, clr35, clr11, rotor");

    readonly Option<string?> clock = OptionKinds.Choice(
        "--clock", "Timing of gate checks: as measured on Linux, or as assumed for the default Windows timer", "linux", "windows");

    public IEnumerable<Symbol> All => [min, max, processors, async, policy, clock];

    /// <exception cref="UserErrorException">The options request no change, or MinThreads is above MaxThreads.</exception>
    public WhatIfChange Read(ParseResult parse)
    {
        var change = new WhatIfChange
        {
            Min = parse.GetValue(min),
            Max = parse.GetValue(max),
            Processors = parse.GetValue(processors),
            Async = parse.GetValue(async),
            Policy = parse.GetValue(policy) is { } name ? Enum.Parse<PolicyKind>(name, ignoreCase: true) : null,
            WindowsClock = parse.GetValue(clock) == "windows",
        };
        return change.IsNone ? throw CommandLineErrors.Refused("no change is given", Hint)
            : change is { Min: { } low, Max: { } high }
                && low > high ? throw CommandLineErrors.Refused(
                    $"--min {Text(low)} is larger than --max {Text(high)}", "MinThreads must not be larger than MaxThreads")
            : change;
    }

    /// <summary>Refuses a change that is impossible in a pool with these settings.</summary>
    /// <exception cref="UserErrorException">With the change, MinThreads would be above MaxThreads.</exception>
    public static void Check(WhatIfChange change, PoolSettings settings)
    {
        var changed = change.Applied(settings);
        if (change.Policy is null or PolicyKind.Portable or PolicyKind.Native && changed.Max < changed.Min)
        {
            throw CommandLineErrors.Refused(
                $"MinThreads {Text(changed.Min)} would be larger than MaxThreads {Text(changed.Max!.Value)}",
                change.Min is null ? $"also give --min {Text(changed.Max.Value)} or less" : $"also give --max {Text(changed.Min)} or more");
        }
    }

    static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}
