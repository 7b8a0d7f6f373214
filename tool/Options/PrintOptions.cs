using System.CommandLine;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>The options for the place and the format of results.</summary>
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

    /// <summary>Creates the options with the formats of the command; the first format is the default.</summary>
    public PrintOptions(params string[] formats)
    {
        this.formats = formats;
        format = OptionKinds.Choice("--format", "Output format; otherwise, the ending of FILE decides", formats);
    }

    /// <summary>Whether the command writes a short text by default, and so has the option <c>--verbose</c>.</summary>
    public bool HasVerbose { get; init; } = true;

    /// <summary>Whether the command's documents contain points in time and command lines, and so need options for both.</summary>
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

    /// <summary>Returns the values of the options.</summary>
    public PrintRequest Read(ParseResult parse) => new(
        parse.GetValue(output), parse.GetValue(format) ?? NamedBy(parse.GetValue(output)) ?? formats[0],
        HasTimes && parse.GetValue(time) == "elapsed" ? TimeStyle.Elapsed : TimeStyle.Utc,
        HasTimes && parse.GetValue(showCommandLine))
    { Verbose = HasVerbose && parse.GetValue(verbose) };

    // Without --format, the file name decides: pool.html is HTML, and trace.speedscope.json is speedscope, not JSON.
    string? NamedBy(string? file) => file is null ? null
        : formats.FirstOrDefault(f => Ends(file, $".{f}.json")) ?? formats.FirstOrDefault(f => Ends(file, $".{f}"));

    static bool Ends(string file, string ending) => file.EndsWith(ending, StringComparison.OrdinalIgnoreCase);
}

/// <summary>The place and the format in which to write results.</summary>
/// <param name="File">Path of a file; null for standard output.</param>
/// <param name="Format">One of the command's formats, in lower case.</param>
/// <param name="Time">How points in time are written.</param>
/// <param name="ShowCommandLine">Whether the target's command line is written in full.</param>
sealed record PrintRequest(string? File, string Format, TimeStyle Time, bool ShowCommandLine)
{
    /// <summary>Whether the text contains every detail; if not, the text is the short report.</summary>
    public bool Verbose { get; init; }
}
