using System.CommandLine;

namespace Tpwatch.Commands;

/// <summary>Starts a fixture that ships with the tool and watches it: the tour without an incident at hand.</summary>
internal sealed class DemoCommand(CommandContext context)
{
    /// <summary>Blocks more items than there are workers; starves for about ten seconds, recovers, ends.</summary>
    const string DefaultScenario = "pool-burst";

    static readonly string[] DefaultArguments = ["--items", "40"];

    readonly Argument<string?> scenario = new("SCENARIO")
    {
        Description = $"Which fixture (default: {DefaultScenario}).",
        Arity = ArgumentArity.ZeroOrOne,
    };

    readonly Argument<string[]> arguments = new("ARGS")
    {
        Description = "After '--': options of the fixture, such as -- --items 100.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    readonly ObserveOptions observe = new("until the fixture ends");
    readonly PrintOptions print = new(Viewing.Formats);
    readonly ScreenOptions screen = new();

    /// <summary>The verb.</summary>
    public Command Create()
    {
        var command = new Command("demo", "Start a program that starves its pool, and watch it.") { scenario, arguments };
        observe.AddTo(command);
        print.AddTo(command);
        screen.AddTo(command);
        command.SetAction((parse, _) => RunAsync(parse));
        return command;
    }

    async Task<int> RunAsync(ParseResult parse)
    {
        var printed = print.Read(parse);
        using var result = ResultFile.Open(printed.File, context);
        var name = parse.GetValue(scenario);
        var extra = parse.GetValue(arguments) is { Length: > 0 } given ? given : name is null ? DefaultArguments : [];
        await using var fixture = FixtureProcess.Start(name ?? DefaultScenario, extra, context);
        var pid = await fixture.ReadyAsync();
        await using var watch = await context.Engine.AttachAsync(pid, observe.Read(parse), context.Stop);
        await fixture.BeginAsync();
        return await new Viewing(context).RunAsync(watch, new(printed, screen.Read(parse, printed.Time), observe.Duration(parse)), result);
    }
}
