using System.CommandLine;
using Tpwatch.Run;

namespace Tpwatch.Cli;

/// <summary>The command <c>demo</c>: starts a demo program that ships with the tool, and watches it.</summary>
sealed class DemoCommand(CommandContext context)
{
    /// <summary>Default scenario: it queues more blocking items than worker threads exist. The pool starves for about 10 s.</summary>
    const string DefaultScenario = "pool-burst";

    static readonly string[] DefaultWords = [DefaultScenario, "--items", "40"];

    readonly Argument<string[]> scenario = new("SCENARIO")
    {
        Description = $"The scenario and its own options, such as: {DefaultScenario} --items 100 (default: {DefaultScenario} --items 40).",
        Arity = ArgumentArity.ZeroOrMore,
    };

    readonly ObserveOptions observe = new("until the scenario ends");
    readonly PrintOptions print = new(WatchViewer.Formats);
    readonly ScreenOptions screen = new();

    public Command Create() => new Command("demo", "Start a program that starves its thread pool, and watch that program.")
        .With([scenario, .. observe.All, .. print.All, .. screen.All]).Does(RunAsync);

    async Task<int> RunAsync(ParseResult parse)
    {
        var printed = print.Read(parse);
        using var result = ResultFile.ForLines(printed.File, context);
        await using var fixture = DemoProcess.Start(Words(parse.GetValue(scenario) ?? []), context);
        var pid = await fixture.ReadyAsync();
        var options = observe.Read(parse) with { RetainBytes = EngineWatch.RetainedBytes };
        await using var chosen = new RunningTarget(await context.Engine.ByPidAsync(pid, context.Stop), context.Engine);
        var first = await chosen.AttachAsync(options, context.Stop);
        await using var watch = new SegmentedWatch(first, cancel => chosen.AttachAsync(options, cancel));
        await fixture.BeginAsync();
        return await new WatchViewer(context).RunAsync(watch, new(printed, screen.Read(parse, printed.Time), observe.Duration(parse)),
            result);
    }

    // If the user gives options but no scenario, the options belong to the default scenario.
    static string[] Words(string[] given) => given switch
    {
        [] => DefaultWords,
        [['-', ..], ..] => [DefaultScenario, .. given],
        _ => given,
    };
}
