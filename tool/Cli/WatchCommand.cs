using System.CommandLine;
using Tpwatch.Run;

namespace Tpwatch.Cli;

/// <summary>The root command: watches a process live, on the screen or as lines.</summary>
sealed class WatchCommand(CommandContext context)
{
    readonly TargetOptions target = new(context);
    readonly ObserveOptions observe = new("until the process ends or you stop tpwatch");
    readonly PrintOptions print = new(WatchViewer.Formats);
    readonly ScreenOptions screen = new();
    readonly FailOnOption failOn = new();

    /// <summary>Creates the root command; the caller adds the subcommands.</summary>
    public RootCommand Create() =>
        new RootCommand("Explains, live and from outside the process, why work items in a .NET process wait for the thread pool.")
            .With([.. target.All, .. observe.All, .. print.All, .. screen.All, failOn.Option]).Does(RunAsync);

    async Task<int> RunAsync(ParseResult parse)
    {
        var options = observe.Read(parse) with { RetainBytes = EngineWatch.RetainedBytes };
        var printed = print.Read(parse);
        var request = target.Read(parse);
        var look = request is { Command.ShowIo: true } ? null : screen.Read(parse, printed.Time);
        var view = new ViewingRequest(printed, look, observe.Duration(parse)) { FailOn = failOn.Read(parse) };
        await using var chosen = await new TargetChoice(context) { Screen = Waiting(view) }.ResolveAsync(request, look);
        using var result = ResultFile.ForLines(printed.File, context);
        var isScreen = new WatchViewer(context).HasScreen(view);
        // The screen continues with the next process by itself. Without a screen, each process has its own watch and summary.
        return await new SequentialWatches(context).RunAsync(chosen, request.Follows && !isScreen,
            _ => WatchAsync(Segments(request, chosen, options, isScreen), chosen, view, result));
    }

    Func<Task<SegmentedWatch>> Segments(TargetRequest request, ITarget chosen, WatchOptions options, bool isScreen) => async () =>
    {
        var watched = chosen;
        AttachNotes.Tell(chosen.Row, options, context);
        var first = await chosen.AttachAsync(options, context.Stop);
        return new(first, cancel => watched.AttachAsync(options, cancel), CanWatchNext(request) ? NextAsync : null)
        {
            Follows = request.Follows && isScreen,
        };

        async Task<IWatch> NextAsync(CancellationToken cancel)
        {
            var next = chosen;
            if (request.Follows)
            {
                await chosen.NextAsync(cancel);
            }
            else
            {
                next = await new TargetChoice(context).AwaitNextAsync(watched.Row, cancel);
            }

            var watch = await next.AttachAsync(options, cancel);
            watched = next;
            return watch;
        }
    };

    async Task<WatchOutcome> WatchAsync(Func<Task<SegmentedWatch>> attach, ITarget chosen, ViewingRequest view, ResultFile result)
    {
        await using var watch = await attach();
        var code = await new WatchViewer(context).RunAsync(watch, view, result);
        return await WatchOutcome.OfAsync(watch, await LaunchedExitCode.ConcludeAsync(code, watch, chosen, context));
    }

    ShowWaiting? Waiting(ViewingRequest view) =>
        view.Screen is { } look && context.Waiting is { } show && new WatchViewer(context).HasScreen(view)
            ? (what, stop) => show(what, look, stop)
            : null;

    // Whether tpwatch can watch a next process: not after a launched program, and at a port only with --wait.
    static bool CanWatchNext(TargetRequest request) => request is { Command: null, Port: null } || request.Follows;
}
