using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>A session from a recording: the events from the file, the target's facts and readings from the side-car.</summary>
sealed class RecordedSession : ISession
{
    /// <summary>Minimum size of a recording, bytes, for which it saves time to extract the wanted events first.</summary>
    const long SmallestForExtract = 4 << 20;

    readonly FileStream file;
    readonly StoppableStream events;
    readonly SideStreamRecording? side;
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
        Start = sideCar?.Start is null ? null : RecordedStartupStream.Of(sideCar, TraceHeader.Of(file));
        string? lacking = null;
        side = !Depth.HasSession() ? null : SideStreamRecording.Open(file, sideCar, out lacking);
        Remarks = [.. new[] { remark, lacking }.OfType<string>(), .. sideCar is null or { Remarks.IsDefault: true } ? [] : sideCar.Remarks];
    }

    public TargetFacts Target { get; }
    public SessionSource Source => SessionSource.Recording;
    public CaptureDepth Depth => SideCar?.Depth ?? CaptureDepth.Basic;
    public ISideStream? Side => side;
    public IStartupStream? Start { get; }
    public Stream Events => events;

    /// <summary>Why a large recording was read without an extract, one sentence; null for a small one, or if an extract was used.</summary>
    public string? ReadAsItIs =>
        extract?.Why is { } why ? $"tpwatch read every event of the recording, which takes longer, because it has {why}." : null;

    public Stream EventsOf(Func<EventFilter> wanted) => length < SmallestForExtract ? events : extract = Extract(wanted());

    /// <summary>Returns an extract of the recording, even of a small one.</summary>
    public ExtractStream Extract(EventFilter wanted) => new(events, () => file.Position = 0, wanted);

    /// <summary>Share of the file that has been read, 0 to 1. Any thread can get this value.</summary>
    public double ReadShare => events.Passed is var passed && length > 0 ? Math.Min(1, passed / (double)length) : 1;

    /// <summary>The side-car; null if there is no usable one.</summary>
    public SideCar? SideCar { get; }

    /// <summary>Remarks about the recording for the user of the report, one sentence each.</summary>
    public ImmutableArray<string> Remarks { get; }

    /// <summary>
    /// Opens a recording. Throws <see cref="UserErrorException"/> if the file does not exist or cannot be read (exit code 3), or if the
    /// file is empty or not a recording (2).
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
        // This method is called for each of possibly millions of events, so the time is compared before the queue is used.
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

/// <summary>The wanted events of a recording, extracted at the first read; the unchanged recording if no extract can be made.</summary>
/// <param name="whole">The recording, at its start.</param>
/// <param name="again">Resets the recording to its start.</param>
/// <param name="wanted">The events that the reader uses.</param>
sealed class ExtractStream(Stream whole, Action again, EventFilter wanted) : ForwardOnlyStream
{
    /// <summary>Maximum size of an extract, bytes; an extract is held in memory.</summary>
    const long Most = 32 << 20;

    /// <summary>Number of bytes to read before the size of the extract is compared with <see cref="LargestShare"/>.</summary>
    const long Sample = 2 << 20;

    /// <summary>Maximum size of an extract as a share of the bytes read; a larger one takes more time to make than it saves.</summary>
    const double LargestShare = 1 / 3.0;

    Stream? source;

    /// <summary>Why no extract can be made, as a part of a sentence; null if one was made, or before the first read.</summary>
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
        catch (UnsupportedTraceException e)
        {
            Why = e.Message;
            again();
            return whole;
        }
    }
}

/// <summary>The start stream in the side-car of a recording: the events of the process before counters were enabled.</summary>
sealed class RecordedStartupStream : IStartupStream
{
    /// <summary>Maximum size of a start stream, bytes. A start of 2 s has about 20 kB, or a few hundred kB with a burst of work.</summary>
    public const int MostBytes = 4 << 20;

    RecordedStartupStream(byte[] bytes) => Events = new MemoryStream(bytes, writable: false);

    public Stream Events { get; }

    /// <summary>Returns the start stream of a side-car; null if there is none or if it belongs to another process.</summary>
    public static RecordedStartupStream? Of(SideCar? sideCar, TraceHeader? stream) =>
        sideCar?.Start is { Length: > 0 and <= MostBytes } bytes
        && TraceHeader.Of(new MemoryStream(bytes)) is { } stamp && stream?.MayHave(stamp) == true ? new(bytes) : null;

    public bool IsFollowed() => true;
}

/// <summary>The second stream of a recording (work items, locks, requests), from a file next to the recording.</summary>
sealed class SideStreamRecording : ISideStream
{
    const string Ending = ".nettrace";
    const string Deep = ".deep";

    readonly FileStream file;
    readonly StoppableStream events;
    readonly bool mayBreakOff;

    SideStreamRecording(FileStream file, bool mayBreakOff)
    {
        (this.file, this.mayBreakOff) = (file, mayBreakOff);
        events = new StoppableStream(file);
    }

    public Stream Events => events;
    public bool WithStacks => false;

    public string? Ended(bool properEndMark) => properEndMark || events.Stopped || mayBreakOff ? null
        : $"{Path.GetFileName(file.Name)} next to the recording is incomplete or damaged: "
            + "work items and locks are known only up to that point.";

    /// <summary>
    /// Returns the path of a recording's second stream, unique for each recording: <c>x.deep.nettrace</c> for <c>x.nettrace</c>, and
    /// <c>x.deep</c> for <c>x</c>. Any other extension counts as part of the name: <c>run.1</c> and <c>run.2</c> are two recordings.
    /// </summary>
    public static string PathFor(string recording) => recording.EndsWith(Ending, StringComparison.OrdinalIgnoreCase)
        ? recording[..^Ending.Length] + Deep + recording[^Ending.Length..]
        : recording + Deep;

    /// <summary>
    /// Returns the path of the recording to which a second stream belongs; null if the path is not one of a second stream.
    /// </summary>
    public static string? WholeOf(string path) =>
        path.EndsWith(Deep, StringComparison.OrdinalIgnoreCase) ? path[..^Deep.Length]
        : path.EndsWith(Deep + Ending, StringComparison.OrdinalIgnoreCase) ? path[..^(Deep.Length + Ending.Length)] + path[^Ending.Length..]
        : null;

    /// <summary>Opens the second stream; returns null and a remark if the file is unreadable or belongs to another recording.</summary>
    /// <param name="first">The recording's first stream, which is left at its start.</param>
    /// <param name="told">The side-car, with the second stream's id and whether the recording ended early; null if there is none.</param>
    /// <param name="remark">Why the second stream is not used, one sentence; null if it is used.</param>
    public static SideStreamRecording? Open(FileStream first, SideCar? told, out string? remark)
    {
        var path = PathFor(first.Name);
        FileStream? file = null;
        try
        {
            remark = null;
            file = RegularFile.OpenRead(path);
            TraceHeader.Check(file, path);
            if (IsOf(first, told?.DeepId, TraceHeader.Of(file)))
            {
                return new SideStreamRecording(file, told is { EndedEarlyAtBytes: not null });
            }

            file.Dispose();
            remark = $"{Path.GetFileName(path)} belongs to another recording and is not used: work items and locks are not known.";
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or UserErrorException)
        {
            file?.Dispose();
            remark = "Work items and locks are not known: they were recorded, "
                + $"but {Path.GetFileName(path)} next to the recording cannot be read.";
            return null;
        }
    }

    public Task StopAsync(CancellationToken cancel)
    {
        events.Stop();
        return Task.CompletedTask;
    }

    public ValueTask DisposeAsync() => file.DisposeAsync();

    // The side-car has no id if tpwatch was killed while recording. The process and the start times of both streams are then compared.
    static bool IsOf(FileStream first, string? id, TraceHeader? second) =>
        id is null ? second is { } stamp && TraceHeader.Of(first)?.MayHave(stamp) == true : second?.Id == id;
}

/// <summary>A stream that any thread can stop, so that its reader gets the end of the stream early.</summary>
sealed class StoppableStream(Stream inner) : ForwardOnlyStream
{
    volatile bool stopped;
    long passed;

    /// <summary>Whether <see cref="Stop"/> was called.</summary>
    public bool Stopped => stopped;

    /// <summary>Whether the reader reached the end of the inner stream.</summary>
    public bool ReachedEnd { get; private set; }

    /// <summary>Position in the inner stream after the last read, bytes. Any thread can get this value.</summary>
    public long Passed => Interlocked.Read(ref passed);

    /// <summary>Makes all later reads return no bytes, as at the end of the stream.</summary>
    public void Stop() => stopped = true;

    public override int Read(Span<byte> buffer)
    {
        if (stopped)
        {
            return 0;
        }

        var count = inner.Read(buffer);
        Interlocked.Exchange(ref passed, inner.Position);
        ReachedEnd = count == 0 && !buffer.IsEmpty;
        return count;
    }
}

/// <summary>
/// An open event stream, as nettrace, and the facts about its target. The caller that opens the session must read the stream to its end on
/// a separate thread. The runtime answers a stop request only after all events have been read.
/// </summary>
interface ISession : IAsyncDisposable
{
    /// <summary>Facts about the target that do not come from its events.</summary>
    TargetFacts Target { get; }

    /// <summary>The source of the stream.</summary>
    SessionSource Source { get; }

    /// <summary>The nettrace bytes. Reads block; the stream ends when the session ends.</summary>
    Stream Events { get; }

    /// <summary>The stream before <see cref="Events"/>, for a process that was watched from its start; null if there is none.</summary>
    IStartupStream? Start => null;

    /// <summary>
    /// Returns the stream for a reader that needs only wanted events. Other events may be missing, but times and losses are the same. Use
    /// the result instead of <see cref="Events"/>. Calls <paramref name="wanted"/> only if events can be left out.
    /// </summary>
    Stream EventsOf(Func<EventFilter> wanted) => Events;

    /// <summary>
    /// Removes and returns the oldest available clock reading that is not later than <paramref name="until"/>. Clock readings are not in
    /// the event stream. Called by the reading thread only.
    /// </summary>
    bool TryTakeClockReading(EventTime until, out ClockReading reading);

    /// <summary>Like <see cref="TryTakeClockReading"/>, for readings of the process from outside.</summary>
    bool TryTakeProcessReading(EventTime until, out ProcessReading reading);

    /// <summary>The depth of the capture that is enabled in the target.</summary>
    CaptureDepth Depth => CaptureDepth.Basic;

    /// <summary>The second stream that was requested or recorded; null if there is none. The session closes this stream.</summary>
    ISideStream? Side => null;

    /// <summary>
    /// Whether the process is currently stopped, by a signal, a debugger or a frozen control group; null if that cannot be determined. Any
    /// thread can get this value.
    /// </summary>
    bool? IsTargetStopped => null;

    /// <summary>Called often by the reader, with whether work items wait now. If so, readings must be more frequent.</summary>
    void ItemsWait(bool now)
    {
    }

    /// <summary>Asks the target to end the session; the reader reads on. Bounded in time; does not throw if the target has ended.</summary>
    Task StopAsync(CancellationToken cancel);

    /// <summary>Returns why the session ended. The reader calls this method at the end of the stream; bounded in time.</summary>
    /// <param name="properEndMark">Whether the stream had its end mark.</param>
    SessionEnd Ended(bool properEndMark);
}

/// <summary>
/// The start stream: the events of a new process before counters are enabled, in a separate stream that is read first. Counters run managed
/// code in the target, which can hang a starting process. The pool's own events come from native code and are safe.
/// </summary>
interface IStartupStream
{
    /// <summary>The nettrace bytes. Reads block; the stream ends when the session's own stream begins, or with the session.</summary>
    Stream Events { get; }

    /// <summary>Whether the session's own stream follows; called after the end of this stream. May block; bounded in time.</summary>
    bool IsFollowed();
}

/// <summary>A session's second event stream, as nettrace. The caller reads the whole stream, asynchronously or on its own thread.</summary>
interface ISideStream : IAsyncDisposable
{
    /// <summary>The nettrace bytes. Reads block, unless the caller uses asynchronous reads.</summary>
    Stream Events { get; }

    /// <summary>Whether every event has a stack and so costs nine times as much: a runtime before .NET 9 cannot omit stacks.</summary>
    bool WithStacks { get; }

    /// <summary>Returns a remark for the user on how the stream ended, one sentence; null if the stream ended as expected.</summary>
    /// <param name="properEndMark">Whether the stream had its end mark.</param>
    string? Ended(bool properEndMark);

    /// <summary>
    /// Asks the target to end the stream; the reader continues to read. Bounded in time; does not throw if the target has ended.
    /// </summary>
    Task StopAsync(CancellationToken cancel);
}

/// <summary>The events that a reader wants, by provider. Other tools' recordings have few such events among many others.</summary>
sealed class EventFilter
{
    readonly Dictionary<string, Dictionary<int, int>?> providers;

    /// <summary>Takes the wanted event ids of each provider with their minimum payload lengths in bytes; null for all events.</summary>
    public EventFilter(IEnumerable<KeyValuePair<string, IEnumerable<KeyValuePair<int, int>>?>> wanted) =>
        providers = wanted.ToDictionary(w => w.Key, w => w.Value?.ToDictionary(), StringComparer.OrdinalIgnoreCase);

    /// <summary>
    /// Returns the minimum payload length of an event in bytes; 0 for any length, null if the event is not wanted. A provider whose name
    /// differs from a known one only in case may be either of two providers, so its unlisted ids are wanted too.
    /// </summary>
    public int? LeastOf(string provider, int id) => !providers.TryGetValue(provider, out var ids) ? null
        : ids is not null && ids.TryGetValue(id, out var least) ? least
        : ids is null || !providers.Keys.Contains(provider, StringComparer.Ordinal) ? 0
        : null;
}
