using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>A recorded session: the stream from a file, facts and clock readings from the side-car next to it.</summary>
sealed class RecordedSession : ISession
{
    /// <summary>Minimum size of a recording for an extract, bytes; a smaller one is read faster than an extract of it is made.</summary>
    const long SmallestForExtract = 4 << 20;

    readonly FileStream file;
    readonly StoppableStream events;
    readonly RecordedStream? side;
    readonly long length;
    readonly Queue<ClockReading> clock;
    readonly Queue<ProcessReading> process;
    EventTime nextReading;
    ExtractStream? extract;

    RecordedSession(FileStream file, SideCar? sideCar, string? remark)
    {
        var name = Path.GetFileName(file.Name);
        this.file = file;
        events = new StoppableStream(file);
        length = file.Length;
        clock = new(sideCar is null ? [] : SideCarFile.Readings(sideCar));
        process = new(sideCar is null ? [] : SideCarFile.ProcessReadings(sideCar));
        nextReading = Next();
        Target = sideCar is null ? new TargetFacts { Pid = 0, Name = name } : SideCarFile.Facts(sideCar.Target, name);
        SideCar = sideCar;
        Start = sideCar?.Start is null ? null : RecordedStart.Of(sideCar, TraceHeader.Of(file));
        string? lacking = null;
        side = !Depth.HasSession() ? null : RecordedStream.Open(file, sideCar, out lacking);
        Remarks = [.. new[] { remark, lacking }.OfType<string>(), .. sideCar is null or { Remarks.IsDefault: true } ? [] : sideCar.Remarks];
    }

    public TargetFacts Target { get; }
    public SessionSource Source => SessionSource.Recording;
    public CaptureDepth Depth => SideCar?.Depth ?? CaptureDepth.Basic;
    public ISideStream? Side => side;
    public IStartStream? Start { get; }
    public Stream Events => events;

    /// <summary>Why a large recording was read without an extract, one sentence; null otherwise.</summary>
    public string? ReadAsItIs =>
        extract?.Why is { } why ? $"tpwatch read every event of the recording, which takes longer, because it has {why}." : null;

    public Stream EventsOf(Func<WantedEvents> wanted) => length < SmallestForExtract ? events : extract = Extract(wanted());

    /// <summary>The extract of the recording, whatever its size.</summary>
    public ExtractStream Extract(WantedEvents wanted) => new(events, () => file.Position = 0, wanted);

    /// <summary>Share of the file that has been read, 0 to 1. Any thread can read it.</summary>
    public double ReadShare => events.Passed is var passed && length > 0 ? Math.Min(1, passed / (double)length) : 1;

    /// <summary>The side-car; null if there is no usable one.</summary>
    public SideCar? SideCar { get; }

    /// <summary>Remarks about the recording for the reader of the report, one sentence each.</summary>
    public ImmutableArray<string> Remarks { get; }

    /// <summary>
    /// Opens a recording. Throws <see cref="UserErrorException"/> if it does not exist or cannot be read
    /// (exit code 3), or if it is empty or not a recording (2).
    /// </summary>
    public static RecordedSession Open(string path)
    {
        var file = OpenFile(path);
        try
        {
            if (!file.CanSeek)
            {
                throw new UserErrorException(
                    $"{path} is a pipe or a terminal, not a file.", "Save the recording to a file first.", ExitCode.Arguments);
            }

            TraceHeader.Check(file, path);
            var sideCar = SideCarFile.Read(SideCarFile.PathFor(path), out var remark);
            return new RecordedSession(file, sideCar, remark);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    public bool TryTakeClockReading(EventTime until, out ClockReading reading)
    {
        // Called for every event, of which there may be millions.
        if (until >= nextReading && clock.TryPeek(out reading) && reading.At <= until)
        {
            clock.Dequeue();
            nextReading = Next();
            return true;
        }

        reading = default;
        return false;
    }

    public bool TryTakeProcessReading(EventTime until, out ProcessReading reading)
    {
        if (until >= nextReading && process.TryPeek(out reading) && reading.At <= until)
        {
            process.Dequeue();
            nextReading = Next();
            return true;
        }

        reading = default;
        return false;
    }

    public Task StopAsync(CancellationToken cancel)
    {
        events.Stop();
        return Task.CompletedTask;
    }

    public SessionEnd Ended(bool properEndMark) => (properEndMark, events) switch
    {
        (true, _) => SessionEnd.EndOfRecording,
        (_, { Stopped: true }) => SessionEnd.StoppedByUs,
        (_, { ReachedEnd: true }) when SideCar?.EndedEarlyAtBytes is { } bytes && this.file.Length >= bytes => SessionEnd.EndOfRecording,
        _ => SessionEnd.RecordingBroken,
    };

    public async ValueTask DisposeAsync()
    {
        await this.file.DisposeAsync().ConfigureAwait(false);
        if (side is not null)
        {
            await side.DisposeAsync().ConfigureAwait(false);
        }
    }

    EventTime Next()
    {
        var at = clock.TryPeek(out var reading) ? reading.At : new EventTime(long.MaxValue);
        return process.TryPeek(out var seen) && seen.At < at ? seen.At : at;
    }

    static FileStream OpenFile(string path)
    {
        try
        {
            return RegularFile.OpenRead(path);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new UserErrorException($"There is no file {path}.", "Give the path of a .nettrace file.", ExitCode.Arguments, e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            var why = Directory.Exists(path) ? "it is a folder" : e.Message.TrimEnd('.');
            throw new UserErrorException(
                $"{path} cannot be read: {why}.", "Give the path of a .nettrace file that you may read.", ExitCode.Arguments, e);
        }
    }
}

/// <summary>
/// A recording as its extract, which is made at the first read, or unchanged if the extract cannot be made. Both report the same progress:
/// skipped bytes count as read.
/// </summary>
/// <param name="whole">The recording, at its start.</param>
/// <param name="again">Resets the recording to its start.</param>
/// <param name="wanted">The events that the reader uses.</param>
sealed class ExtractStream(Stream whole, Action again, WantedEvents wanted) : PassingStream
{
    /// <summary>Maximum size of an extract, bytes; it is held in memory.</summary>
    const long Most = 32 << 20;

    /// <summary>Number of bytes after which the share of extracted events is checked.</summary>
    const long Sample = 2 << 20;

    /// <summary>Maximum size of an extract as a share of the recording; a larger extract takes more time to make than it saves.</summary>
    const double LargestShare = 1 / 3.0;

    Stream? source;

    /// <summary>Why the recording is read without an extract, as a part of a sentence; null otherwise.</summary>
    public string? Why { get; private set; }

    public override int Read(Span<byte> buffer)
    {
        source ??= Make();
        return source.Read(buffer);
    }

    Stream Make()
    {
        var extract = new MemoryStream();
        try
        {
            new Extractor(whole, wanted, extract).Run((read, left) => left <= Most && (read < Sample || left < read * LargestShare));
            extract.Position = 0;
            return extract;
        }
        catch (NotUnderstoodException e)
        {
            Why = e.Message;
            again();
            return whole;
        }
    }
}

/// <summary>The events before counters were enabled, from the side-car of a recording that started with its program.</summary>
sealed class RecordedStart : IStartStream
{
    /// <summary>
    /// Maximum size, bytes. A start of 2 s has about 20 kB; of a program that begins with a burst of work, a few hundred kB.
    /// </summary>
    public const int MostBytes = 4 << 20;

    RecordedStart(byte[] bytes) => Events = new MemoryStream(bytes, writable: false);

    public Stream Events { get; }

    /// <summary>The start stream of a side-car; null if there is none, or it belongs to another process.</summary>
    public static RecordedStart? Of(SideCar? sideCar, TraceHeader? stream) => sideCar?.Start is { Length: > 0 and <= MostBytes } bytes
        && TraceHeader.Of(new MemoryStream(bytes)) is { } stamp && stream?.MayHave(stamp) == true ? new(bytes) : null;

    public bool IsFollowed() => true;
}
