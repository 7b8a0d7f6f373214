using Tpwatch.Export;
using Tpwatch.Inside;
using Tpwatch.Options;
using Tpwatch.Recordings;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Cli;

/// <summary>Reports on a core dump: the queued items at that moment, the waits of the threads, and MinThreads and MaxThreads.</summary>
sealed class DumpReport(CommandContext context)
{
    static readonly string[] Formats = ["text", "json"];

    /// <summary>Whether a file is a core dump: the file begins like an ELF file of type ET_CORE.</summary>
    public static bool IsDump(string file)
    {
        const int Core = 4;
        Span<byte> head = stackalloc byte[18];
        try
        {
            using var stream = RegularFile.OpenRead(file);
            return stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) == head.Length
                && head.StartsWith("\u007fELF"u8) && head[16] == Core;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return false;
        }
    }

    /// <summary>Reads the dump in a child process and writes the report.</summary>
    /// <exception cref="UserErrorException">The dump cannot be read, or the format is neither text nor json.</exception>
    public async Task<int> RunAsync(string file, PrintRequest printed)
    {
        if (!Formats.Contains(printed.Format))
        {
            throw new UserErrorException(
                $"a dump is reported as text or json, not as {printed.Format}", "use --format text or json", ExitCode.Arguments);
        }

        if (OwnProgram.Reader is not { } program)
        {
            throw new UserErrorException("tpwatch cannot read a dump here", "run it as a program of its own", ExitCode.NoSession);
        }

        ResultFile.MustSpare(file, printed.File);
        var child = new InsideChild(program, context.Time);
        var outcome = await child.ReadDumpAsync(Path.GetFullPath(file), context.Stop);
        if (outcome.Reading is not { } reading)
        {
            throw new UserErrorException(outcome.Failure!, "report it where it was written, with the same runtime", ExitCode.Broken);
        }

        using var result = ResultFile.ForReport(printed.File, context);
        result.Write(printed.Format == "json"
            ? DumpDocument.Render(reading, file, ToolVersion.Text)
            : MomentRenderer.OfDump(reading, file, TextLayout.In(context.Terminal.Width, printed.File)));
        return (int)ExitCode.Done;
    }
}
