using System.Text.Json;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Recordings;

static class SideCarFile
{
    /// <summary>Maximum size of a side-car, bytes. tpwatch's own side-cars usually have less than 1 MB and never more than 7 MB.</summary>
    public const long MostBytes = 16 << 20;

    const string End = ".json";

    public static string PathFor(string recording) => recording + End;

    /// <summary>Creates a side-car with facts about the target and clock readings; without arguments, which may contain secrets.</summary>
    public static SideCar Describe(TargetFacts facts, IEnumerable<ClockReading> clock) => new()
    {
        Schema = SideCar.CurrentSchema,
        ToolVersion = typeof(SideCarFile).Assembly.GetName().Version?.ToString(3),
        Target = new SideCarTargetFacts
        {
            Pid = facts.Pid,
            Name = facts.Name,
            CommandLine = facts.CommandLine is { } line ? TargetCommandLine.Shorten(line) : null,
            RuntimeVersion = facts.RuntimeVersion,
            Os = facts.Os,
            Architecture = facts.Architecture,
            Processors = facts.Processors,
            MinWorkers = facts.MinWorkers,
            MaxWorkers = facts.MaxWorkers,
            Settings = facts.Settings,
        },
        Clock = [.. clock.Select(c => new SideCarCoarseClockReading(c.At.Nanoseconds, c.StepMs, Rounded(c.GridMs),
            Rounded(c.EdgeMs), c.Regime) { IdleShare = c.IdleShare is { } share ? Rounded(share) : null })],
    };

    /// <summary>
    /// Writes a side-car, which only its owner can read. With <paramref name="over"/>, replaces an existing file once the new file is
    /// complete. Throws <see cref="UserErrorException"/> (exit code 3) if the side-car cannot be written, or if the file exists without
    /// <paramref name="over"/>. No partial file remains.
    /// </summary>
    public static void Write(string path, SideCar sideCar, bool over)
    {
        var json = JsonSerializer.SerializeToUtf8Bytes(sideCar, SideCarJson.Default.SideCar);
        var written = over ? $"{path}.{Path.GetRandomFileName()}" : path;
        var file = PrivateFile.CreateNew(written);
        try
        {
            using (file)
            {
                file.Write(json);
            }

            if (over)
            {
                File.Move(written, path, overwrite: true);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            File.Delete(written);
            throw new UserErrorException($"{path} cannot be written: {e.Message}", "Give another path with -o.", ExitCode.Arguments, e);
        }
    }

    /// <summary>Reads a side-car; returns null and a remark if there is no usable side-car.</summary>
    public static SideCar? Read(string path, out string? remark)
    {
        try
        {
            remark = Defect(new FileInfo(path));
            if (remark is not null || Bytes(path) is not { } bytes)
            {
                remark ??= TooLarge(path);
                return null;
            }

            var sideCar = JsonSerializer.Deserialize(bytes, SideCarJson.Default.SideCar);
            if (sideCar is { Schema: SideCar.CurrentSchema, Target: not null })
            {
                return SideCarValidator.Of(sideCar, out remark);
            }

            remark = $"{path} does not have the schema {SideCar.CurrentSchema} and is not used.";
            return null;
        }
        catch (JsonException e)
        {
            remark = $"{path} is broken and not used: {e.Path ?? "its text"} is not valid there.";
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            remark = $"{path} cannot be read and is not used: {e.Message}";
            return null;
        }
    }

    /// <summary>Returns the target's facts; <paramref name="otherwiseCalled"/> is the name if the side-car has none.</summary>
    internal static TargetFacts Facts(SideCarTargetFacts target, string otherwiseCalled) => new()
    {
        Pid = target.Pid,
        Name = target.Name ?? otherwiseCalled,
        CommandLine = target.CommandLine,
        RuntimeVersion = target.RuntimeVersion,
        Os = target.Os,
        Architecture = target.Architecture,
        Processors = target.Processors ?? SourcedValue.Unknown,
        MinWorkers = target.MinWorkers ?? SourcedValue.Unknown,
        MaxWorkers = target.MaxWorkers ?? SourcedValue.Unknown,
        Settings = target.Settings.IsDefault ? [] : [.. target.Settings.Where(s => s is { Name: not null, Value: not null })],
    };

    /// <summary>Returns the valid clock readings, in time order.</summary>
    internal static IEnumerable<ClockReading> Readings(SideCar sideCar) =>
        from c in sideCar.Clock.IsDefault ? [] : sideCar.Clock
        where c is { StepMs: > 0 and < 1000 } && c.GridMs >= 0 && c.GridMs < c.StepMs && c.EdgeMs >= 0 && c.EdgeMs < c.StepMs
        orderby c.AtNs
        select new ClockReading(new EventTime(c.AtNs), c.StepMs, c.GridMs, c.EdgeMs,
            c.Regime)
        { IdleShare = c.IdleShare is >= 0 and <= 1 ? c.IdleShare : null };

    /// <summary>Returns the valid process readings, in time order.</summary>
    internal static IEnumerable<ProcessReading> ProcessReadings(SideCar sideCar) =>
        from p in sideCar.Process.IsDefault ? [] : sideCar.Process
        where p is { IntervalMs: >= 0 and < 1e9 }
            && (p.StoppedSinceNs is not { } since
                || (since <= p.AtNs && p.StoppedUntilNs is { } until && until >= since && until <= p.AtNs))
        orderby p.AtNs
        select p.Reading;

    static string? Defect(FileInfo file) => file switch
    {
        { Exists: false, FullName: var path } when SideStreamRecording.WholeOf(path[..^End.Length]) is { } whole && File.Exists(whole) =>
            $"{file.Name[..^End.Length]} is only one part of a recording. Report on {Path.GetFileName(whole)} instead.",
        { Exists: false } => $"{file.Name} is missing. Without that file, tpwatch does not know all settings of the process, "
            + "or whether the process was stopped (TPW014). If you have the file, put it next to the recording.",
        { Length: > MostBytes } => TooLarge(file.Name),
        _ => null,
    };

    static string TooLarge(string name) => $"{name} is too large to belong to a recording and is not used.";

    // Returns null if the file is too large. Counts bytes while reading: a link to a device reports no length and may have no end.
    static byte[]? Bytes(string path)
    {
        using var file = RegularFile.OpenRead(path);
        using var bytes = new MemoryStream();
        var part = new byte[1 << 16];
        for (var read = file.Read(part); read > 0; read = file.Read(part))
        {
            bytes.Write(part, 0, read);
            if (bytes.Length > MostBytes)
            {
                return null;
            }
        }

        return bytes.ToArray();
    }

    // Rounds to the nanosecond, which is the resolution of the clock.
    static double Rounded(double milliseconds) => Math.Round(milliseconds, 6);
}

/// <summary>Validates a side-car, because any program can write one. Impossible values become unknown.</summary>
static class SideCarValidator
{
    /// <summary>Processor count above which a side-car's value is impossible; no machine has as many.</summary>
    const int MostProcessors = 8192;

    /// <summary>Number of worker threads above which a side-car's value is impossible: the runtime's own limit.</summary>
    const int MostWorkers = short.MaxValue;

    /// <summary>
    /// Removes impossible values; <paramref name="remark"/> is null unless the target's processor count or limits were impossible.
    /// </summary>
    public static SideCar Of(SideCar told, out string? remark)
    {
        var target = Limits(told.Target);
        remark = target == told.Target ? null : "The .json file next to the recording has an impossible processor count or impossible "
            + "limits. tpwatch treats them as unknown.";
        return told with
        {
            Target = target with { Settings = Whole(target.Settings) },
            Clock = Whole(told.Clock),
            Process = Whole(told.Process),
            Remarks = told.Remarks.IsDefault ? [] : [.. Whole(told.Remarks).Select(UntrustedText.Line)],
            Bursts = told.Bursts is { } bursts ? Whole(bursts) : null,
            Inside = told.Inside is { } inside ? [.. Whole(Given(inside)).Where(MakesSense).Select(Whole)] : null,
        };
    }

    static SideCarTargetFacts Limits(SideCarTargetFacts told)
    {
        var (min, max) = (Within(told.MinWorkers, MostWorkers), Within(told.MaxWorkers, MostWorkers));
        var crossed = min?.Value > max?.Value;
        return told with
        {
            Processors = Within(told.Processors, MostProcessors),
            MinWorkers = crossed ? null : min,
            MaxWorkers = crossed ? null : max,
        };
    }

    static SourcedValue? Within(SourcedValue? told, int most) => told?.Value is { } value && (value < 1 || value > most) ? null : told;

    // Returns the list without null elements: a JSON list may contain null although the element type does not allow null.
    static ImmutableArray<T> Whole<T>(ImmutableArray<T> list)
        where T : class => list.IsDefault || list.All(item => item is not null) ? list : [.. list.Where(item => item is not null)];

    static SideCarBursts Whole(SideCarBursts bursts) => bursts with
    {
        Frames = bursts.Frames.IsDefault ? [] : [.. bursts.Frames.Select(frame => frame is null ? "?" : UntrustedText.Line(frame))],
        Taken = bursts.Taken.IsDefault
            ? []
            : [.. Whole(bursts.Taken).Select(b => b with { Stacks = Given(b.Stacks), Locks = Given(b.Locks) })],
    };

    static bool MakesSense(SideCarInside told) => told is { Ms: >= 0 and < 1e9, Threads: >= 0, Running: >= 0 }
        && told.Limits is null or { MinThreads: > 0, MaxThreads: <= MostWorkers, Working: >= 0, Idle: >= 0 }
        && !(told.Limits?.MinThreads > told.Limits?.MaxThreads) && !(told.Queue is { Total: < 0 } or { Named: < 0 });

    static SideCarInside Whole(SideCarInside told) => told with
    {
        Queue = told.Queue is { } queue
            ? queue with { Kinds = [.. Given(queue.Kinds).Where(k => k is { Name: not null, Items: >= 0 })] }
            : null,
        Waits =
        [
            .. Given(told.Waits).Where(w => w is { Frame: not null, Call: not null, Threads: > 0, Workers: >= 0 })
                .Select(w => w with { Chain = Given(w.Chain) }),
        ],
        Deadlock = told.Deadlock is { Threads: { IsDefault: false, Length: >= 2 } threads, Workers: >= 0 } cycle
            && cycle.Blocked >= threads.Length && cycle.Workers <= cycle.Blocked ? cycle with { Places = Given(cycle.Places) } : null,
        Unknown = [.. Given(told.Unknown).Where(u => u.Why is not null)],
    };

    static ImmutableArray<T> Given<T>(ImmutableArray<T> list)
        where T : class => list.IsDefault ? [] : Whole(list);
}
