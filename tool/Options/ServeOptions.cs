using System.CommandLine;
using System.CommandLine.Parsing;
using System.Net;
using Tpwatch.Sessions;

namespace Tpwatch.Options;

/// <summary>Which processes are watched, and where they are told of.</summary>
sealed class ServeOptions
{
    /// <summary>More than a machine has services, and as many as the watcher's memory was measured for.</summary>
    public const int MostTargets = 200;

    static readonly TimeSpan OldEnough = TimeSpan.FromSeconds(10);

    readonly Option<IPEndPoint?> listen = new("--listen")
    {
        Description = "Address to listen on (default: 127.0.0.1:9464). An address that other machines can reach requires --token-file.",
        HelpName = "ADDRESS:PORT",
        CustomParser = result => ListenAddress.TryParse(OptionKinds.Text(result), out var address)
            ? address
            : OptionKinds.Refuse<IPEndPoint?>(result, $"'{OptionKinds.Text(result)}' is not a valid address for --listen",
                "write 127.0.0.1:9464, [::1]:9464 or 0.0.0.0:9464"),
    };

    readonly Option<string?> token = new("--token-file")
    {
        Description = "A file with the bearer token that requests from other machines must carry.",
        HelpName = "FILE",
    };

    readonly Option<string[]> names = Many("--name", "Watch only processes with this name. You can repeat this option.", "-n");

    readonly Option<int[]> pids = new("--process-id", "-p", "--pid")
    {
        Description = "Watch only the process with this id. You can repeat this option.",
        HelpName = "N",
        CustomParser = Numbers,
        AllowMultipleArgumentsPerToken = false,
    };

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

    readonly Option<string?> incidents = new("--incidents")
    {
        Description = "Save a recording and an HTML report of starvation episodes in this folder. It keeps the newest 20, up to 200 MB.",
        HelpName = "DIR",
    };

    readonly Option<bool> allowRecord = new("--allow-record")
    {
        Description = "Let clients that may read also record a process: POST /record/NAME-PID?duration=30s.",
    };

    readonly Option<bool> allowInside = new("--allow-inside")
    {
        Description = "Let clients that may read also read the memory of a process, without a pause: POST /inside/NAME-PID.",
    };

    readonly Option<Uri?> otlp = new("--otlp")
    {
        Description = "Also push the metrics to this OpenTelemetry collector over HTTP, every 10 s.",
        HelpName = "URL",
        CustomParser = result => CollectorAddress.TryParse(OptionKinds.Text(result), out var address)
            ? address
            : OptionKinds.Refuse<Uri?>(result, $"'{OptionKinds.Text(result)}' is not a valid address for --otlp",
                "write http://127.0.0.1:4318 or https://NAME:4318"),
    };

    readonly Option<bool> otlpLogs = new("--otlp-logs")
    {
        Description = "Also push a log record when an episode begins, changes its verdict or ends, and for each new finding. "
            + "Only with --otlp.",
    };

    readonly Option<TimeSpan?> olderThan =
        OptionKinds.Duration("--older-than", "Watch only processes that have run at least this long (default: 10s).");

    readonly Option<int?> limit = OptionKinds.Number(
        "--limit", [], "Maximum number of processes watched at once (default: 200).", 1, MostTargets);

    /// <summary>Declares the options on a command.</summary>
    public void AddTo(Command command)
    {
        foreach (var option in (Option[])
            [listen, token, names, pids, port, except, olderThan, limit, incidents, allowRecord, allowInside, otlp, otlpLogs])
        {
            command.Options.Add(option);
        }
    }

    /// <summary>What was asked for.</summary>
    public ServeRequest Read(ParseResult parse) => new(parse.GetValue(listen) ?? ListenAddress.Default, parse.GetValue(token))
    {
        Names = [.. parse.GetValue(names) ?? []],
        Pids = [.. parse.GetValue(pids) ?? []],
        Port = parse.GetValue(port),
        Except = [.. parse.GetValue(except) ?? []],
        OlderThan = parse.GetValue(olderThan) ?? OldEnough,
        Limit = parse.GetValue(limit) ?? MostTargets,
        Incidents = parse.GetValue(incidents),
        AllowRecord = parse.GetValue(allowRecord),
        AllowInside = parse.GetValue(allowInside),
        Otlp = parse.GetValue(otlp),
        OtlpLogs = parse.GetValue(otlpLogs),
    };

    static Option<string[]> Many(string name, string description, params string[] aliases) => new(name, aliases)
    {
        Description = description,
        HelpName = "NAME",
        AllowMultipleArgumentsPerToken = false,
    };

    static int[]? Numbers(ArgumentResult result)
    {
        List<int> numbers = [];
        foreach (var token in result.Tokens)
        {
            if (!int.TryParse(token.Value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) || number == 0)
            {
                return OptionKinds.Refuse<int[]>(result, $"'{token.Value}' is not a valid number for -p", "write the id of a process");
            }

            numbers.Add(number);
        }

        return [.. numbers];
    }
}

/// <summary>Which processes are watched, and where they are told of.</summary>
/// <param name="Listen">Where to answer.</param>
/// <param name="TokenFile">Holds the token; null is none.</param>
sealed record ServeRequest(IPEndPoint Listen, string? TokenFile)
{
    /// <summary>Names that alone are watched; empty is all.</summary>
    public ImmutableArray<string> Names { get; init; } = [];

    /// <summary>Process ids that alone are watched; empty is all.</summary>
    public ImmutableArray<int> Pids { get; init; } = [];

    /// <summary>Where processes may come to; null for nowhere.</summary>
    public PortAddress? Port { get; init; }

    /// <summary>Whether processes of this machine are looked for: those that were named, or all where nothing was.</summary>
    public bool Scans => IsAll || !Names.IsEmpty || !Pids.IsEmpty;

    /// <summary>Whether nothing was named.</summary>
    public bool IsAll => Names.IsEmpty && Pids.IsEmpty && Port is null;

    /// <summary>Names that are never touched.</summary>
    public ImmutableArray<string> Except { get; init; } = [];

    /// <summary>The age from which a process is watched.</summary>
    public TimeSpan OlderThan { get; init; }

    /// <summary>At most so many at once.</summary>
    public int Limit { get; init; }

    /// <summary>A folder for incidents; null keeps none.</summary>
    public string? Incidents { get; init; }

    /// <summary>Whether who may read may also record.</summary>
    public bool AllowRecord { get; init; }

    /// <summary>Whether who may read may also have memory read.</summary>
    public bool AllowInside { get; init; }

    /// <summary>A collector that is pushed to; null for none.</summary>
    public Uri? Otlp { get; init; }

    /// <summary>Whether events are pushed there, too.</summary>
    public bool OtlpLogs { get; init; }
}

/// <summary>Where a collector takes OTLP over HTTP, without the path of a signal: <c>http://127.0.0.1:4318</c>.</summary>
static class CollectorAddress
{
    /// <summary>Reads it. A name and password would stand in every list of processes.</summary>
    public static bool TryParse(string text, out Uri address)
    {
        var read = Uri.TryCreate(text, UriKind.Absolute, out var found)
            && found is { Scheme: "http" or "https", UserInfo: "", Query: "", Fragment: "" };
        address = found ?? new("http://127.0.0.1/");
        return read;
    }
}

/// <summary>An address to listen on, as it is written: <c>127.0.0.1:9464</c>, <c>[::1]:9464</c>, <c>localhost:9464</c>.</summary>
static class ListenAddress
{
    const string Localhost = "localhost:";

    /// <summary>This machine alone, on the port that exporters of OpenTelemetry use by default.</summary>
    public static IPEndPoint Default { get; } = new(IPAddress.Loopback, 9464);

    /// <summary>Reads it; a name other than localhost may mean several addresses and is none.</summary>
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
