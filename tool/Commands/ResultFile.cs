namespace Tpwatch.Commands;

/// <summary>Where results go: standard output, or a file that is made before anything is attached to.</summary>
internal sealed class ResultFile : IDisposable
{
    readonly bool owned;

    ResultFile(TextWriter writer, bool owned)
    {
        Writer = writer;
        this.owned = owned;
    }

    /// <summary>Write here; flush after each thing that belongs together.</summary>
    public TextWriter Writer { get; }

    /// <summary>Opens <paramref name="path"/>, or standard output where there is none.</summary>
    /// <exception cref="ForeseenException">The file cannot be created.</exception>
    public static ResultFile Open(string? path, CommandContext context)
    {
        if (path is null)
        {
            return new(context.Out, owned: false);
        }

        try
        {
            return new(new StreamWriter(new ResultStream(File.Create(path), path)) { NewLine = "\n" }, owned: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw NotCreated(path, e);
        }
    }

    /// <summary>The sentence for a file that cannot be created.</summary>
    public static ForeseenException NotCreated(string path, Exception e) =>
        new($"'{path}' cannot be created: {e.Message.TrimEnd('.')}", "give -o a file in a folder that exists and that you may write to", ExitCode.Arguments, e);

    /// <summary>Writes everything and sees that it has arrived.</summary>
    public void Write(string text)
    {
        Writer.Write(text);
        Writer.Flush();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (owned)
        {
            Writer.Dispose();
        }
    }
}
