namespace Tpwatch.Benchmarks.Screen;

/// <summary>A long recording of a service made of a short one: its events again and again, each time later, with no event lost.</summary>
static class DayRecording
{
    /// <summary>Between the end of one and the begin of the next, as between two heartbeats.</summary>
    static readonly TimeSpan Between = TimeSpan.FromSeconds(1);

    /// <summary>Writes it beside a copy of the side-car; how often the recording is in it.</summary>
    public static int Write(string recording, string file, TimeSpan whole)
    {
        var source = NettraceFile.Read(recording);
        File.Copy(recording + ".json", file + ".json", overwrite: true);
        using var writer = new NettraceWriter(File.Create(file));
        writer.Begin(source.Header);
        foreach (var block in source.Metadata)
        {
            writer.Write(block);
        }

        var length = source.Events.Max(e => e.Header.Time) - source.Events.Min(e => e.Header.Time)
            + (long)(Between.TotalSeconds * source.Header.Frequency);
        var times = (int)(whole.TotalSeconds * source.Header.Frequency / length) + 1;
        for (var i = 0; i < times; i++)
        {
            writer.Write(source, i * length);
        }

        return times;
    }
}
