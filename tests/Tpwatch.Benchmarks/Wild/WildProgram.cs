using System.Collections.Immutable;
using System.Diagnostics;
using System.Text.Json;
using Tpwatch.Fixtures.Inside.Kinds;
using Tpwatch.LiveTests.Services;
using Tpwatch.Scoring.Checks;

namespace Tpwatch.Benchmarks.Wild;

/// <summary>A program that the tool meets late, and what is true of it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="On">What it is built on.</param>
/// <param name="Program">The assembly.</param>
/// <param name="Verdicts">Verdicts that are right.</param>
/// <param name="Frames">Ends of the names of own methods that block worker threads, one of which leads; none of a healthy one.</param>
sealed record WildProgram(string Name, string On, string Program, ImmutableArray<string> Verdicts, params ImmutableArray<string> Frames)
{
    static readonly ImmutableArray<string> Healthy = ["healthy", "notThePool"];

    const int ForHangs = 28;

    static readonly ImmutableArray<string> Starved = ["starved", "silentlyStarved"];

    static readonly ImmutableArray<string> ForTasks = ["starved", "silentlyStarved", "compensated"];

    /// <summary>
    /// How long it is looked at, seconds. That items hang is proven only after the runtime's idle timeout of 20 s, as the README says.
    /// </summary>
    public int LookSeconds { get; private init; } = 10;

    /// <summary>Whether it can be told from when on it counts.</summary>
    public bool TakesSettled => Program == BuiltPrograms.Frameworks || KindCatalogue.All.Any(kind => kind.Name == Name);

    /// <summary>Whether it writes at its end how long empty items waited.</summary>
    public bool TellsDelays { get; private init; } = true;

    /// <summary>Whether the pool may have added all the threads that its task waits take before anybody came.</summary>
    public bool MayKeepUp => Verdicts.Contains("compensated");

    public bool IsHealthy => Verdicts == Healthy;

    /// <summary>Whether it is built on a framework that the runtime does not bring.</summary>
    public bool IsOnFramework => On.Length > 0;

    /// <summary>All programs; those on frameworks are built first.</summary>
    public static async Task<ImmutableArray<WildProgram>> AllAsync() =>
    [
        .. await FrameworksAsync(),
        .. KindCatalogue.All.Select(kind => new WildProgram(kind.Name, "", BuiltPrograms.Inside, ForTasks, kind.Frame)),
        .. Modes(),
        .. ServiceCase.All.Select(Service),
    ];

    static IEnumerable<WildProgram> Modes() =>
    [
        new("parked", "", BuiltPrograms.Inside, Healthy) { TellsDelays = false, LookSeconds = ForHangs },
        new("ticking", "", BuiltPrograms.Inside, ["held"], "PromiseOrders.Load") { TellsDelays = false, LookSeconds = ForHangs },
        new("unending", "", BuiltPrograms.Inside, ["held"], "PromiseOrders.Load") { TellsDelays = false, LookSeconds = ForHangs },
        new("growing", "", BuiltPrograms.Inside, ["compensated", "held"], "PromiseOrders.Load")
        {
            TellsDelays = false, LookSeconds = ForHangs,
        },
    ];

    static WildProgram Service(ServiceCase one) => new(one.Scenario, "ASP.NET Core" + (NeedsDatabase(one.Scenario) ? ", Npgsql" : ""),
        BuiltPrograms.Services, one.Method is null ? Healthy : [.. one.Verdicts.Select(ExpectationCheck.Word)],
        one.Method is null ? [] : one.IsShort ? ["Shop." + one.Method, "an ASP.NET Core endpoint"] : ["Shop." + one.Method])
    {
        TellsDelays = false,
    };

    static bool NeedsDatabase(string scenario) => ServiceCase.OnDatabase.Contains(scenario);

    static async Task<IEnumerable<WildProgram>> FrameworksAsync()
    {
        var project = Path.Combine(BuiltPrograms.Root, "fixtures", "Frameworks");
        await RunAsync("build", project, "-c", "Release", "-v", "quiet", "--nologo");
        var lines = await RunAsync("exec", BuiltPrograms.Frameworks, "list");
        return lines.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Framework);
    }

    static WildProgram Framework(string line)
    {
        using var document = JsonDocument.Parse(line);
        var one = document.RootElement;
        var frame = one.GetProperty("frame").GetString()!;
        var verdicts = frame.Length == 0 ? Healthy
            : one.GetProperty("hangs").GetBoolean() ? ForTasks.Add("held")
            : one.GetProperty("isForTasks").GetBoolean() ? ForTasks : Starved;
        return new(one.GetProperty("name").GetString()!, one.GetProperty("framework").GetString()!, BuiltPrograms.Frameworks, verdicts,
            frame.Length == 0 ? [] : [frame, .. ShortHub(frame)]);
    }

    // A short method of a hub is inlined into the delegate that is compiled for it.
    static string[] ShortHub(string frame) => frame.Contains("Hub.", StringComparison.Ordinal) ? ["a SignalR hub method"] : [];

    static async Task<string> RunAsync(params string[] words)
    {
        using var process = Process.Start(new ProcessStartInfo(BuiltPrograms.Host, words) { RedirectStandardOutput = true })!;
        var said = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0 ? said : throw new InvalidOperationException($"dotnet {string.Join(' ', words)} failed: {said}");
    }
}
