using System.CommandLine;
using System.CommandLine.Parsing;
using System.Net;
using Tpwatch.Sessions;

namespace Tpwatch.Options;

/// <summary>The options of <c>serve</c>: which processes to watch, and where to publish their state.</summary>
sealed class ServeOptions
{
    /// <summary>Maximum number of processes watched at once. The memory use of <c>serve</c> was measured up to this number.</summary>
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

    readonly Option<bool> noInside = new("--no-inside")
    {
        Description = "Never read the memory of a process. Loops that wait for work may then be called HELD.",
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
            [listen, token, names, pids, port, except, olderThan, limit, incidents, allowRecord, allowInside, noInside, otlp, otlpLogs])
        {
            command.Options.Add(option);
        }
    }

    /// <summary>Returns the values. Throws a <see cref="UserErrorException"/> (exit code 3) if one allows what another forbids.</summary>
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
            Limit = parse.GetValue(limit) ?? MostTargets,
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

/// <summary>Which processes <c>serve</c> watches, and where it publishes their state.</summary>
/// <param name="Listen">The address that the HTTP server listens on.</param>
/// <param name="TokenFile">The file with the bearer token; null for none.</param>
sealed record ServeRequest(IPEndPoint Listen, string? TokenFile)
{
    /// <summary>Names of the processes to watch; empty if the user gave no name.</summary>
    public ImmutableArray<string> Names { get; init; } = [];

    /// <summary>Ids of the processes to watch; empty if the user gave no id.</summary>
    public ImmutableArray<int> Pids { get; init; } = [];

    /// <summary>A diagnostic port that processes may connect to; null for none.</summary>
    public PortAddress? Port { get; init; }

    /// <summary>Whether tpwatch scans the processes of this machine: for the given names and ids, or for all processes.</summary>
    public bool Scans => IsAll || !Names.IsEmpty || !Pids.IsEmpty;

    /// <summary>Whether tpwatch watches all processes, because the user gave no name, id or port.</summary>
    public bool IsAll => Names.IsEmpty && Pids.IsEmpty && Port is null;

    /// <summary>Names of processes that tpwatch never attaches to.</summary>
    public ImmutableArray<string> Except { get; init; } = [];

    /// <summary>Minimum age at which tpwatch attaches to a process.</summary>
    public TimeSpan OlderThan { get; init; }

    /// <summary>Maximum number of processes watched at once.</summary>
    public int Limit { get; init; }

    /// <summary>The folder for recordings and reports of starvation episodes; null to save none.</summary>
    public string? Incidents { get; init; }

    /// <summary>Whether clients that may read the state may also start a recording.</summary>
    public bool AllowRecord { get; init; }

    /// <summary>Whether clients that may read the state may also request a memory reading.</summary>
    public bool AllowInside { get; init; }

    /// <summary>Whether memory readings are forbidden, even for a process whose work items seem to hang.</summary>
    public bool NoInside { get; init; }

    /// <summary>The OpenTelemetry collector that metrics are pushed to; null for none.</summary>
    public Uri? Otlp { get; init; }

    /// <summary>Whether tpwatch also pushes log records to the collector.</summary>
    public bool OtlpLogs { get; init; }
}

/// <summary>Parses a collector's address for OTLP over HTTP, without the path of a signal: <c>http://127.0.0.1:4318</c>.</summary>
static class CollectorAddress
{
    /// <summary>Parses the address. A user name or password is refused, since every list of processes shows the command line.</summary>
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

    /// <summary>The default address: loopback, on the default port of OpenTelemetry's Prometheus exporters.</summary>
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
