using System.CommandLine;
using System.Net;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Tpwatch.Inside;
using Tpwatch.Run;
using Tpwatch.Serve;
using Tpwatch.Sessions;

namespace Tpwatch.Cli;

/// <summary>The command <c>serve</c>: watches all .NET processes of this machine, and serves their state over HTTP.</summary>
sealed class ServeCommand(CommandContext context)
{
    public const string Verb = "serve";

    readonly ServeOptions options = new();

    public Command Create() =>
        new Command(Verb, "Watch all .NET processes of this machine, and serve their state to Prometheus and browsers.")
            .With(options.All).Does(RunAsync);

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

        HttpAccess.MustBeSafe(asked.Listen, asked.TokenFile);
        var token = asked.TokenFile is { } file ? HttpAccess.TokenOf(file) : null;
        AspNetCoreLoadContext.MustBeThere();
        return await ServeAsync(asked, token);
    }

    // A separate method, so that the runtime loads the web framework only after AspNetCoreLoadContext.MustBeThere has checked for it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    async Task<int> ServeAsync(ServeRequest asked, byte[]? token)
    {
        await using var port = asked.Port is { } address ? MultiRuntimePort.Listen(address.Path) : null;
        using var machine = context.Engine.Machine(asked.OlderThan, port, asked.Scans);
        var events = asked.OtlpLogs ? new FleetEventQueue() : null;
        using var metrics = new PrometheusPage();
        await using var fleet = new FleetWatch(machine, asked, context, metrics) { Events = events };
        using var push = asked.Otlp is { } collector ? new OtlpPush(collector, events, context) : null;
        using var pages = new HttpRouter(fleet, metrics, new(token), context)
        {
            Recordings = asked.AllowRecord ? new(fleet, machine, context) : null,
            Inside = asked.AllowInside && OwnProgram.Reader is { } reader ? InsideOf(fleet, machine, reader) : null,
        };
        await using var server = new HttpServer(asked.Listen, pages.AnswerAsync);
        await server.StartAsync();
        Say(server, asked);
        // Each task runs until it is cancelled. If one of them ends by itself, it has failed, so the other one is cancelled too.
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Stop);
        Task[] running = [fleet.RunAsync(end.Token), .. push is null ? Enumerable.Empty<Task>() : [push.RunAsync(end.Token)]];
        await Task.WhenAny(running);
        await end.CancelAsync();
        await Task.WhenAll(running);
        return (int)ExitCode.Done;
    }

    InsideEndpoint InsideOf(FleetWatch fleet, IProcessTracker machine, LaunchSpec reader)
    {
        var child = new MemoryReaderLauncher(reader, context.Time);
        return new(fleet, machine, (pid, cancel) => child.TakeAsync(pid, scan: true, isUrgent: true, cancel));
    }

    void Say(HttpServer server, ServeRequest asked) => context.Note(
        $"watching {(asked.IsAll ? "the .NET processes that this user may watch" : "the processes asked for")}; "
            + $"http://{server.Address}/ lists the processes, /metrics is for Prometheus",
        "each gets one event session and sends counters once a second. On .NET 8, other tools then get them every second too");
}

/// <summary>The options of <c>serve</c>: which processes to watch, and where to publish their state.</summary>
sealed class ServeOptions
{
    static readonly TimeSpan OldEnough = TimeSpan.FromSeconds(10);

    readonly Option<IPEndPoint?> listen = OptionKinds.Parsed(
        "--listen", "ADDRESS:PORT",
        "Address to listen on (default: 127.0.0.1:9464). An address that other machines can reach requires --token-file.",
        text => ListenAddress.TryParse(text, out var address) ? address : null, "address",
        "write 127.0.0.1:9464, [::1]:9464 or 0.0.0.0:9464");

    readonly Option<string?> token = OptionKinds.Word(
        "--token-file", [], "FILE", "A file with the bearer token that requests from other machines must carry.");

    readonly Option<string[]> names = Many("--name", "Watch only processes with this name. You can repeat this option.", "-n");

    readonly Option<IReadOnlyList<int>?> pids =
        OptionKinds.ProcessIds("Watch only the process with this id. You can repeat this option.", several: true);

    readonly Option<PortAddress?> port = new("--diagnostic-port", "--dport")
    {
        Description = "Watch what connects to this port; see dotnet tpwatch help dport.",
        HelpName = "PATH",
        CustomParser = result => PortAddress.Parse(OptionKinds.Text(result)) is { } address
            && (address.Mode == PortMode.Listen || !OptionKinds.Text(result).EndsWith(",connect", StringComparison.OrdinalIgnoreCase))
                ? address
                : OptionKinds.Refuse<PortAddress?>(result, "'serve' can only listen on a diagnostic port",
                    "write --dport PATH; to watch a running process, use -p or -n"),
    };

    readonly Option<string[]> except = Many("--except", "Never attach to processes with this name. You can repeat this option.");

    readonly Option<string?> incidents = OptionKinds.Word("--incidents", [], "DIR",
        "Save a recording and an HTML report of starvation episodes in this folder. It keeps the newest 20, up to 200 MB.");

    readonly Option<bool> allowRecord = OptionKinds.Flag(
        "--allow-record", "Let clients that may read also record a process: POST /record/NAME-PID?duration=30s.");

    readonly Option<bool> allowInside = OptionKinds.Flag(
        "--allow-inside", "Let clients that may read also read the memory of a process, without a pause: POST /inside/NAME-PID.");

    readonly Option<bool> noInside = OptionKinds.Flag(
        "--no-inside", "Never read the memory of a process. Loops that wait for work may then be called HELD.");

    readonly Option<Uri?> otlp = OptionKinds.Parsed(
        "--otlp", "URL", "Also push the metrics to this OpenTelemetry collector over HTTP, every 10 s.",
        text => CollectorAddress.TryParse(text, out var address) ? address : null, "address",
        "write http://127.0.0.1:4318 or https://NAME:4318");

    readonly Option<bool> otlpLogs = OptionKinds.Flag("--otlp-logs",
        "Also push a log record when an episode begins, changes its verdict or ends, and for each new finding. Only with --otlp.");

    readonly Option<TimeSpan?> olderThan =
        OptionKinds.Duration("--older-than", "Watch only processes that have run at least this long (default: 10s).");

    readonly Option<int?> limit = OptionKinds.Number(
        "--limit", [], "Maximum number of processes watched at once (default: 200).", 1, ServeRequest.MostTargets);

    public IEnumerable<Symbol> All =>
        [listen, token, names, pids, port, except, olderThan, limit, incidents, allowRecord, allowInside, noInside, otlp, otlpLogs];

    /// <summary>Returns the values. Throws <see cref="UserErrorException"/> (exit code 3) if two of them contradict each other.</summary>
    public ServeRequest Read(ParseResult parse) => parse.GetValue(allowInside) && parse.GetValue(noInside)
        ? throw new UserErrorException("--allow-inside lets clients read memory, and --no-inside forbids that", "leave out one of the two",
            ExitCode.Arguments)
        : new(parse.GetValue(listen) ?? ListenAddress.Default, parse.GetValue(token))
        {
            Names = [.. parse.GetValue(names) ?? []],
            Pids = [.. parse.GetValue(pids) ?? []],
            Port = parse.GetValue(port),
            Except = [.. parse.GetValue(except) ?? []],
            OlderThan = parse.GetValue(olderThan) ?? OldEnough,
            Limit = parse.GetValue(limit) ?? ServeRequest.MostTargets,
            Incidents = parse.GetValue(incidents),
            AllowRecord = parse.GetValue(allowRecord),
            AllowInside = parse.GetValue(allowInside),
            NoInside = parse.GetValue(noInside),
            Otlp = parse.GetValue(otlp),
            OtlpLogs = parse.GetValue(otlpLogs),
        };

    static Option<string[]> Many(string name, string description, params string[] aliases) => new(name, aliases)
    {
        Description = description,
        HelpName = "NAME",
        AllowMultipleArgumentsPerToken = false,
    };
}

/// <summary>Parses the base address of an OpenTelemetry collector for OTLP over HTTP: <c>http://127.0.0.1:4318</c>.</summary>
static class CollectorAddress
{
    /// <summary>Parses the address. A user name or password is refused, because other users can see the command line.</summary>
    public static bool TryParse(string text, out Uri address)
    {
        var read = Uri.TryCreate(text, UriKind.Absolute, out var found)
            && found is { Scheme: "http" or "https", UserInfo: "", Query: "", Fragment: "" };
        address = found ?? new("http://127.0.0.1/");
        return read;
    }
}

/// <summary>Parses an address to listen on: <c>127.0.0.1:9464</c>, <c>[::1]:9464</c>, <c>localhost:9464</c>.</summary>
static class ListenAddress
{
    const string Localhost = "localhost:";

    /// <summary>The default address: loopback, and the default port of OpenTelemetry's Prometheus exporters.</summary>
    public static IPEndPoint Default { get; } = new(IPAddress.Loopback, 9464);

    /// <summary>Parses the address. A host name other than localhost is refused, because it may resolve to several addresses.</summary>
    public static bool TryParse(string text, out IPEndPoint address)
    {
        var numbers = text.StartsWith(Localhost, StringComparison.OrdinalIgnoreCase) ? "127.0.0.1:" + text[Localhost.Length..] : text;
        var hasPort = numbers.LastIndexOf(':') > numbers.LastIndexOf(']') && (numbers.StartsWith('[') || numbers.Count(c => c == ':') == 1);
        address = Default;
        if (!hasPort || !IPEndPoint.TryParse(numbers, out var read))
        {
            return false;
        }

        address = read;
        return true;
    }
}
