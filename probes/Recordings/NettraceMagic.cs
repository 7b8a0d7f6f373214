namespace Tpwatch.Recordings;

/// <summary>Distinguishes recordings from other files by their first bytes.</summary>
static class NettraceMagic
{
    // nettrace begins with its name; the older NetPerf format begins with a length of 4 bytes and its serializer's name.
    const int LengthBytes = 4;

    static ReadOnlySpan<byte> Nettrace => "Nettrace"u8;
    static ReadOnlySpan<byte> Serializer => "!FastSerialization"u8;

    /// <summary>
    /// Checks that a file is a recording; leaves it at its start, or throws <see cref="UserErrorException"/> (exit code 2).
    /// </summary>
    public static void Check(Stream file, string path)
    {
        Span<byte> start = stackalloc byte[LengthBytes + Serializer.Length];
        try
        {
            start = start[..file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false)];
        }
        catch (IOException e)
        {
            throw Broken($"{path} cannot be read: {e.Message.TrimEnd('.')}.", "Give a .nettrace file.");
        }

        if (start.IsEmpty)
        {
            throw Broken($"{path} is empty.", "The recording ended before any event arrived; record again.");
        }

        if (!start.StartsWith(Nettrace) && (start.Length < LengthBytes || !start[LengthBytes..].StartsWith(Serializer)))
        {
            throw path.EndsWith(".nettrace.json", StringComparison.OrdinalIgnoreCase)
                ? Broken(
                    $"{path} is the .json file that belongs to a recording.", $"Give {Path.GetFileNameWithoutExtension(path)} instead.")
                : Broken(
                    $"{path} is not a .nettrace recording.", "Recordings come from `dotnet tpwatch record` or `dotnet-trace collect`.");
        }

        file.Position = 0;
    }

    static UserErrorException Broken(string sentence, string hint) => new(sentence, hint, ExitCode.Broken);
}
