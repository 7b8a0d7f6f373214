using Tpwatch.Run;

namespace Tpwatch.Tests.Verbs;

/// <summary>A command line run in a world of fakes, and what came of it.</summary>
sealed record CommandRun(int Code, string Out, string Error)
{
    /// <summary>The sentence and the hint of a failure.</summary>
    public string[] ErrorLines => Error.TrimEnd('\n').Split('\n');

    public static Task<CommandRun> Of(params string[] args) => Of(new FakeEngine(), args);

    public static async Task<CommandRun> Of(FakeEngine engine, params string[] args) => await Of(engine, c => c, args);

    public static async Task<CommandRun> Of(IEngine engine, Func<CommandContext, CommandContext> change, params string[] args)
    {
        using var output = new StringWriter { NewLine = "\n" };
        using var error = new StringWriter { NewLine = "\n" };
        var context = new CommandContext(engine, output, error, TerminalFacts.None, new QuickTime(), TestContext.Current.CancellationToken);
        var code = await Program.RunAsync(args, change(context));
        return new(code, output.ToString(), error.ToString());
    }
}
