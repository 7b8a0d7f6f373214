using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>A session that was recorded: the stream from a file, facts and clock from the side-car beside it.</summary>
sealed class RecordedSession : ISession
{
    /// <summary>A smaller recording is read before an extract of it would be made.</summary>
    const long SmallestForExtract = 4 << 20;

    readonly FileStream file;
    readonly StoppableStream events;
    readonly RecordedStream? beside;
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
        Start = sideCar?.Start is null ? null : RecordedStart.Of(sideCar, StreamStamp.Of(file));
        string? lacking = null;
        beside = !Depth.HasSession() ? null : RecordedStream.Open(file, sideCar, out lacking);
        Remarks = [.. new[] { remark, lacking }.OfType<string>(), .. sideCar is null or { Remarks.IsDefault: true } ? [] : sideCar.Remarks];
    }

    public TargetFacts Target { get; }
    public SessionSource Source => SessionSource.Recording;
    public CaptureDepth Depth => SideCar?.Depth ?? CaptureDepth.Basic;
    public ISideStream? Beside => beside;
    public IStartStream? Start { get; }
    public Stream Events => events;

    /// <summary>Why a large recording was read as it is, one sentence; null where it was not.</summary>
    public string? ReadAsItIs =>
        extract?.Why is { } why ? $"tpwatch read every event of the recording, which takes longer, because it has {why}." : null;

    public Stream EventsOf(Func<WantedEvents> wanted) => length < SmallestForExtract ? events : extract = Extract(wanted());

    /// <summary>Of a recording of any size.</summary>
    public ExtractStream Extract(WantedEvents wanted) => new(events, () => file.Position = 0, wanted);

    /// <summary>How much of the file has been read, 0 to 1. For any thread.</summary>
    public double ReadShare => events.Passed is var passed && length > 0 ? Math.Min(1, passed / (double)length) : 1;

    /// <summary>The side-car; null when there is none that can be used.</summary>
    public SideCar? SideCar { get; }

    /// <summary>What a reader of the report should know of the recording, one sentence each.</summary>
    public ImmutableArray<string> Remarks { get; }

    /// <summary>
    /// Opens a recording. <see cref="ForeseenException"/>: it is not there or must not be read
    /// (exit code 3), it is empty or no recording (2).
    /// </summary>
    public static RecordedSession Open(string path)
    {
        var file = OpenFile(path);
        try
        {
            if (!file.CanSeek)
            {
                throw new ForeseenException(
                    $"{path} is a pipe or a terminal, not a file.", "Save the recording to a file first.", ExitCode.Arguments);
            }

            NettraceMagic.Check(file, path);
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
        // Asked for every event, of which there may be millions.
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
        if (beside is not null)
        {
            await beside.DisposeAsync().ConfigureAwait(false);
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
            throw new ForeseenException($"There is no file {path}.", "Give the path of a .nettrace file.", ExitCode.Arguments, e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            var why = Directory.Exists(path) ? "it is a folder" : e.Message.TrimEnd('.');
            throw new ForeseenException(
                $"{path} cannot be read: {why}.", "Give the path of a .nettrace file that you may read.", ExitCode.Arguments, e);
        }
    }
}

/// <summary>
/// A recording as its extract, made when it is read first; as it is where the extract cannot be made. Both read the same way: what is
/// passed over counts as read.
/// </summary>
/// <param name="whole">The recording, at its start.</param>
/// <param name="again">Puts it back there.</param>
/// <param name="wanted">What somebody looks at.</param>
sealed class ExtractStream(Stream whole, Action again, WantedEvents wanted) : PassingStream
{
    /// <summary>An extract is held in memory.</summary>
    const long Most = 32 << 20;

    /// <summary>After so much it shows whether anything can be left out.</summary>
    const long Sample = 2 << 20;

    /// <summary>An extract of more than this share takes longer to make than it spares.</summary>
    const double LargestShare = 1 / 3.0;

    Stream? source;

    /// <summary>Why the recording is read as it is, as a part of a sentence; null where it is not.</summary>
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
