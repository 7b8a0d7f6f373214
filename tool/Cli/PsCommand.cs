using System.CommandLine;
using Tpwatch.Export;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Cli;

/// <summary>The command <c>ps</c>: lists the processes that tpwatch can attach to.</summary>
sealed class PsCommand(CommandContext context)
{
    readonly Option<string?> format = OptionKinds.Choice("--format", "Output format", "text", "json");
    readonly Option<TimeSpan?> check = OptionKinds.Duration(
        "--check", "Attach to each process for this time and show which are starved. Stack samples may pause a starved process.");

    readonly Option<CaptureDepth?> depth = DepthOption.Create(CaptureDepth.Auto);
    readonly Option<bool> noInside = DepthOption.NoInside();

    readonly Option<IReadOnlyList<int>?> processIds = OptionKinds.ProcessIds("Only the process with this id, "
        + "or several ids separated by commas.", several: true);

    readonly Option<string?> name =
        OptionKinds.Word("--name", ["-n"], "NAME", "Only processes with this name: process name or entry assembly.");

    readonly Option<bool> showCommandLine =
        OptionKinds.Flag("--show-command-line", "Show whole command lines; they may contain secrets.");

    /// <summary>Name shown for a process that tpwatch did not find.</summary>
    const string Unknown = "?";

    public Command Create() => new Command("ps", "List .NET processes you can attach to.")
        .With([processIds, name, check, depth, noInside, format, showCommandLine]).Does(RunAsync);

    async Task<int> RunAsync(ParseResult parse)
    {
        var (all, asked) = await FindAsync(parse);
        var rows = all.Where(r => r.WhyNot is null).ToList();
        var whole = parse.GetValue(showCommandLine);
        var json = parse.GetValue(format) == "json";
        if (parse.GetValue(check) is { } duration)
        {
            var options = DepthOption.Read(parse, depth, noInside, CaptureDepth.Auto);
            var looked = await CheckAsync((all, rows), (duration, options),
                checks => json
                    ? JsonProcessListRenderer.Render(checks, whole)
                    : ProcessCheckRenderer.Render(checks, context.Terminal.Width));
            var seen = looked.Count(r => r.Report is not null);
            return (int)(looked.Count > 0 && seen < (asked ? looked.Count : 1) ? ExitCode.NoSession : Code(all, asked));
        }

        Write(json ? JsonProcessListRenderer.Render(rows, whole) : ProcessTableRenderer.Render(rows, whole, context.Terminal.Width));
        Explain(all);
        return (int)Code(all, asked);
    }

    // Returns the exit code: an error if tpwatch cannot attach to one of the processes that the user named.
    static ExitCode Code(IReadOnlyList<ProcessRow> all, bool asked) =>
        asked && all.Any(r => r.WhyNot is not null) ? ExitCode.NoSession : ExitCode.Done;

    async Task<(IReadOnlyList<ProcessRow> All, bool Asked)> FindAsync(ParseResult parse)
    {
        var all = await context.Engine.FindAsync(context.Stop);
        var (ids, called) = (parse.GetValue(processIds), parse.GetValue(name));
        if (ids is null && called is null)
        {
            return (all, false);
        }

        var named = called is null ? [] : await context.Engine.AllByNameAsync(called, context.Stop);
        List<ProcessRow> rows = [];
        foreach (var id in (ids ?? []).Concat(named).Distinct())
        {
            rows.Add(all.FirstOrDefault(r => r.Pid == id) ?? await NotListedAsync(id));
        }

        return (rows, true);
    }

    async Task<ProcessRow> NotListedAsync(int id)
    {
        try
        {
            return await context.Engine.ByPidAsync(id, context.Stop);
        }
        catch (UserErrorException e)
        {
            return new(id, Unknown, null, null, null, e.Message) { Hint = e.Hint };
        }
    }

    async Task<IReadOnlyList<ProcessCheckResult>> CheckAsync((IReadOnlyList<ProcessRow> All, IReadOnlyList<ProcessRow> Open) found,
        (TimeSpan Duration, WatchOptions Options) how, Func<IReadOnlyList<ProcessCheckResult>, string> text)
    {
        Explain(found.All);
        var looked = await new ProcessCheckRunner(context).RunAsync(found.Open, how.Duration, how.Options);
        Write(text(looked));
        return looked;
    }

    void Write(string text)
    {
        context.Out.Write(text);
        context.Out.Flush();
    }

    void Explain(IReadOnlyList<ProcessRow> all)
    {
        foreach (var row in all.Where(r => r.WhyNot is not null))
        {
            var called = row.Name == Unknown ? "" : $" ({row.Name})";
            context.Note($"cannot watch {row.Pid.ToString(System.Globalization.CultureInfo.InvariantCulture)}{called}: {row.WhyNot}");
        }

        if (all.Count == 0)
        {
            context.Note("this user can see no .NET process; to see another user's processes, run as that user or as root");
        }
    }
}
