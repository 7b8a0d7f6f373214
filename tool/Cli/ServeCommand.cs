using System.CommandLine;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Tpwatch.Inside;
using Tpwatch.Options;
using Tpwatch.Serve;
using Tpwatch.Sessions;

namespace Tpwatch.Cli;

/// <summary>The command <c>serve</c>: watches all .NET processes of this machine, and serves their state over HTTP.</summary>
sealed class ServeCommand(CommandContext context)
{
    public const string Verb = "serve";

    readonly ServeOptions options = new();

    public Command Create()
    {
        var command = new Command(Verb, "Watch all .NET processes of this machine, and serve their state to Prometheus and browsers.");
        options.AddTo(command);
        command.SetAction((parse, _) => RunAsync(parse));
        return command;
    }

    async Task<int> RunAsync(ParseResult parse)
    {
        var asked = options.Read(parse);
        if (!RuntimeInformation.IsOSPlatform(OSPlatform.Linux))
        {
            throw new UserErrorException("'serve' finds processes on Linux only",
                "watch one process by its id: dotnet tpwatch -p PID", ExitCode.Unsupported);
        }

        if (asked is { OtlpLogs: true, Otlp: null })
        {
            throw new UserErrorException("--otlp-logs needs a collector", "add --otlp http://127.0.0.1:4318", ExitCode.Arguments);
        }

        Access.MustBeSafe(asked.Listen, asked.TokenFile);
        var token = asked.TokenFile is { } file ? Access.TokenOf(file) : null;
        WebFramework.MustBeThere();
        return await ServeAsync(asked, token);
    }

    // A method of its own, so that the runtime does not search for the web framework before this method begins.
    [MethodImpl(MethodImplOptions.NoInlining)]
    async Task<int> ServeAsync(ServeRequest asked, byte[]? token)
    {
        await using var port = asked.Port is { } address ? SharedPort.Listen(address.Path) : null;
        using var machine = context.Engine.Machine(asked.OlderThan, port, asked.Scans);
        var events = asked.OtlpLogs ? new FleetEvents() : null;
        using var metrics = new FleetMetrics();
        await using var fleet = new FleetWatch(machine, asked, context, metrics) { Events = events };
        using var push = asked.Otlp is { } collector ? new OtlpPush(collector, events, context) : null;
        using var pages = new Pages(fleet, metrics, new(token), context)
        {
            Recordings = asked.AllowRecord ? new(fleet, machine, context) : null,
            Inside = asked.AllowInside && OwnProgram.Reader is { } reader ? InsideOf(fleet, machine, reader) : null,
        };
        await using var server = await HttpServer.StartAsync(asked.Listen, pages.AnswerAsync);
        Say(server, asked);
        // A task ends only when cancelled. If a task ends earlier, it has failed, and the other task is cancelled too.
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Stop);
        Task[] running = [fleet.RunAsync(end.Token), .. push is null ? Enumerable.Empty<Task>() : [push.RunAsync(end.Token)]];
        await Task.WhenAny(running);
        await end.CancelAsync();
        await Task.WhenAll(running);
        return (int)ExitCode.Done;
    }

    InsidePage InsideOf(FleetWatch fleet, IMachine machine, ProgramStart reader)
    {
        var child = new InsideChild(reader, context.Time);
        return new(fleet, machine, (pid, cancel) => child.TakeAsync(pid, scan: true, cancel));
    }

    void Say(HttpServer server, ServeRequest asked) => context.Note(
        $"watching {(asked.IsAll ? "the .NET processes that this user may watch" : "the processes asked for")}; "
            + $"http://{server.Address}/ lists the processes, /metrics is for Prometheus",
        "each gets one event session and sends counters once a second. On .NET 8, other tools then get them every second too");
}
