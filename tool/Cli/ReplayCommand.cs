using System.CommandLine;
using Tpwatch.Run;

namespace Tpwatch.Cli;

/// <summary>The command <c>replay</c>: shows a recording on the screen, or as lines.</summary>
sealed class ReplayCommand(CommandContext context)
{
    readonly Argument<string?> file = OptionKinds.File("A recording.", ArgumentArity.ExactlyOne);

    readonly Option<string?> speed = OptionKinds.OneOf(
        "--speed", "Replay in real time, ten times as fast, or as fast as possible. Default: 1 on the screen, otherwise 'max'.",
        ["1", "10", "max"], "is not a valid speed", "choose one of '1', '10', 'max'");

    readonly Option<bool> showPaths = ObserveOptions.ShowPathsOption();
    readonly PrintOptions print = new(WatchViewer.Formats);
    readonly ScreenOptions screen = new();
    readonly FailOnOption failOn = new();

    public Command Create() => new Command("replay", "Show a recording on the screen, as if it were live.")
        .With([file, speed, showPaths, .. print.All, .. screen.All, failOn.Option]).Does(RunAsync);

    async Task<int> RunAsync(ParseResult parse)
    {
        var printed = print.Read(parse);
        var view = new ViewingRequest(printed, screen.Read(parse, printed.Time), Duration: null) { FailOn = failOn.Read(parse) };
        var recording = RecordingPath.MustExist(parse.GetValue(file) ?? "");
        ResultFile.MustSpare(recording, printed.File);
        var viewing = new WatchViewer(context);
        var onScreen = viewing.HasScreen(view);
        await using var watch = Open(
            recording, new() { ReplaySpeed = Speed(parse.GetValue(speed), onScreen), ShowPaths = parse.GetValue(showPaths) }, onScreen);
        using var result = ResultFile.ForLines(printed.File, context);
        return await viewing.RunAsync(watch, view, result);
    }

    IWatch Open(string recording, WatchOptions options, bool onScreen) => onScreen
        ? new ReplayWatch(control => context.Engine.Replay(recording, options with { Replay = control }), options.ReplaySpeed)
        : context.Engine.Replay(recording, options with { EveryDecision = true });

    static double? Speed(string? asked, bool onScreen) => asked switch
    {
        "1" => 1,
        "10" => 10,
        null when onScreen => 1,
        _ => null,
    };
}
