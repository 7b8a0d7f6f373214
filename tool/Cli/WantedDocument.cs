using Tpwatch.Options;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Cli;

/// <summary>The document that one look is to end in.</summary>
/// <param name="Printed">Where and in which form.</param>
/// <param name="Document">What makes it of a report, which it may add to.</param>
/// <param name="Conclude">Who has the last word about the exit code.</param>
sealed record WantedDocument(PrintRequest Printed, Func<PoolReport, (string Text, PoolReport Report)> Document,
    Func<ExitCode, PoolReport, CommandContext, ExitCode> Conclude)
{
    public string? File => Printed.File;

    /// <summary>What stands before the document, where several stand one after another.</summary>
    string Heading { get; init; } = "";

    /// <summary>The same for one process of several.</summary>
    public WantedDocument For(ProcessRow row, string? file) => this with
    {
        Printed = Printed with { File = file },
        Heading = Printed is { File: null, Format: "text" } ? $"{NamedFile.Heading(row)}\n\n" : "",
    };

    /// <summary>Writes it; the exit code.</summary>
    public ExitCode Write(Observation observation, PoolReport report, ResultFile result, CommandContext context)
    {
        var code = ExitCode.Done;
        string text;
        try
        {
            (text, report) = Document(report);
        }
        catch (ForeseenException e) when (observation.Conclude(report) is ExitCode.Broken)
        {
            // Who gets no document because the stream broke is told that, and not that the arguments were wrong.
            throw new ForeseenException(e.Message, e.Hint, ExitCode.Broken, e);
        }

        try
        {
            result.Write(Heading + text);
        }
        finally
        {
            code = observation.Conclude(report);
        }

        return Conclude(code, report, context);
    }
}
