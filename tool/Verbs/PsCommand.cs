using System.CommandLine;
using Tpwatch.Basics;
using Tpwatch.Options;
using Tpwatch.Render.Json;
using Tpwatch.Render.Shared;
using Tpwatch.Render.Text;
using Tpwatch.Reports;
using Tpwatch.Watching;
using Tpwatch.World;

namespace Tpwatch.Verbs;

/// <summary>Lists the processes that one can attach to.</summary>
sealed class PsCommand(CommandContext context)
{
    readonly Option<string?> format = OptionKinds.Choice("--format", "How the list is written", "text", "json");
    readonly Option<TimeSpan?> check = OptionKinds.Duration(
        "--check", "Attach to each process for this time, at most 8 at once, and say which is starved. "
            + "Each gets an event session and sends counters for that time.");

    readonly Option<CaptureDepth?> depth = DepthOption.Create(CaptureDepth.Auto);

    readonly Option<bool> showCommandLine = new("--show-command-line") { Description = "Show whole command lines; they may hold secrets." };

    /// <summary>The verb.</summary>
    public Command Create()
    {
        var command = new Command("ps", "List the processes that one can attach to.") { check, depth, format, showCommandLine };
        command.SetAction((parse, _) => RunAsync(parse));
        return command;
    }

    async Task<int> RunAsync(ParseResult parse)
    {
        var all = await context.Engine.FindAsync(context.Stop);
        var rows = all.Where(r => r.WhyNot is null).ToList();
        var whole = parse.GetValue(showCommandLine);
        var json = parse.GetValue(format) == "json";
        if (parse.GetValue(check) is { } duration)
        {
            var options = new WatchOptions { Depth = parse.GetValue(depth) ?? CaptureDepth.Auto };
            return await CheckAsync((all, rows), (duration, options),
                looked => json ? JsonProcessListRenderer.Render(looked, whole) : CheckTableRenderer.Render(looked, context.Terminal.Width));
        }

        Write(json ? JsonProcessListRenderer.Render(rows, whole) : ProcessTableRenderer.Render(rows, whole, context.Terminal.Width));
        Explain(all);
        return (int)ExitCode.Done;
    }

    async Task<int> CheckAsync((IReadOnlyList<ProcessRow> All, IReadOnlyList<ProcessRow> Open) found,
        (TimeSpan Duration, WatchOptions Options) how, Func<IReadOnlyList<CheckedRow>, string> text)
    {
        Explain(found.All);
        var looked = await new ShortLooks(context).RunAsync(found.Open, how.Duration, how.Options);
        Write(text(looked));
        return (int)(looked.Count == 0 || looked.Any(r => r.Report is not null) ? ExitCode.Done : ExitCode.NoSession);
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
            context.Note($"not {row.Pid.ToString(System.Globalization.CultureInfo.InvariantCulture)} ({row.Name}): {row.WhyNot}");
        }

        if (all.Count == 0)
        {
            context.Note("no .NET process can be seen by this user; processes of others need their user, or root");
        }
    }
}
