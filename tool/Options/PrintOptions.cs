using System.CommandLine;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>Where results are written, and in which form.</summary>
sealed class PrintOptions
{
    readonly Option<string?> output =
        new("--output", "-o") { Description = "Write to FILE instead of standard output.", HelpName = "FILE" };

    readonly Option<string?> time =
        OptionKinds.Choice("--time", "Show times in UTC, or in seconds since the start", "utc", "elapsed");

    readonly Option<bool> showCommandLine = new("--show-command-line")
    {
        Description = "Show the target's whole command line, which may contain secrets.",
    };

    readonly Option<bool> verbose = new("--verbose") { Description = "Write every detail as text, not only what to act on." };

    readonly Option<string?> format;
    readonly string[] formats;

    /// <summary>Creates the options with the formats of the command, its default first.</summary>
    public PrintOptions(params string[] formats)
    {
        this.formats = formats;
        format = OptionKinds.Choice("--format", "Output format; otherwise, the ending of FILE decides", formats);
    }

    /// <summary>Whether the command's text has a short form.</summary>
    public bool HasVerbose { get; init; } = true;

    /// <summary>Whether the verb's documents hold moments and the target's command line.</summary>
    public bool HasTimes { get; init; } = true;

    /// <summary>Declares the options on a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(output);
        command.Options.Add(format);
        if (HasTimes)
        {
            command.Options.Add(time);
            command.Options.Add(showCommandLine);
        }

        if (HasVerbose)
        {
            command.Options.Add(verbose);
        }
    }

    /// <summary>The options given.</summary>
    public PrintRequest Read(ParseResult parse) => new(
        parse.GetValue(output), parse.GetValue(format) ?? NamedBy(parse.GetValue(output)) ?? formats[0],
        HasTimes && parse.GetValue(time) == "elapsed" ? TimeStyle.Elapsed : TimeStyle.Utc,
        HasTimes && parse.GetValue(showCommandLine))
    { Verbose = HasVerbose && parse.GetValue(verbose) };

    // Without --format the file's name decides: pool.html is HTML; trace.speedscope.json is speedscope, not JSON.
    string? NamedBy(string? file) => file is null ? null
        : formats.FirstOrDefault(f => Ends(file, $".{f}.json")) ?? formats.FirstOrDefault(f => Ends(file, $".{f}"));

    static bool Ends(string file, string ending) => file.EndsWith(ending, StringComparison.OrdinalIgnoreCase);
}

/// <summary>Where results are written, and in which form.</summary>
/// <param name="File">A file; null for standard output.</param>
/// <param name="Format">One of the command's formats, lower case.</param>
/// <param name="Time">How moments are written.</param>
/// <param name="ShowCommandLine">Whether the target's command line is written in full.</param>
sealed record PrintRequest(string? File, string Format, TimeStyle Time, bool ShowCommandLine)
{
    /// <summary>Whether text contains every detail, not only the short report.</summary>
    public bool Verbose { get; init; }
}
