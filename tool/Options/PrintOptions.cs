using System.CommandLine;
using Tpwatch.Render.Shared;

namespace Tpwatch.Options;

/// <summary>Where results go and how they are written.</summary>
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
    readonly string defaultFormat;

    /// <summary>With the formats that the verb knows, its default first.</summary>
    public PrintOptions(params string[] formats)
    {
        defaultFormat = formats[0];
        format = OptionKinds.Choice("--format", "Output format", formats);
    }

    /// <summary>Whether the verb's text has a short form.</summary>
    public bool HasVerbose { get; init; } = true;

    /// <summary>Declares the options on a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(output);
        command.Options.Add(format);
        command.Options.Add(time);
        command.Options.Add(showCommandLine);
        if (HasVerbose)
        {
            command.Options.Add(verbose);
        }
    }

    /// <summary>What was asked for.</summary>
    public PrintRequest Read(ParseResult parse) => new(
        parse.GetValue(output), parse.GetValue(format) ?? defaultFormat,
        parse.GetValue(time) == "elapsed" ? TimeStyle.Elapsed : TimeStyle.Utc,
        parse.GetValue(showCommandLine))
    { Verbose = HasVerbose && parse.GetValue(verbose) };
}

/// <summary>Where results go and how they are written.</summary>
/// <param name="File">A file; null is standard output.</param>
/// <param name="Format">One of the verb's formats, lower case.</param>
/// <param name="Time">How moments are written.</param>
/// <param name="ShowCommandLine">Whether the target's command line is written in full.</param>
sealed record PrintRequest(string? File, string Format, TimeStyle Time, bool ShowCommandLine)
{
    /// <summary>Whether text has every detail, not only what one acts on.</summary>
    public bool Verbose { get; init; }
}
