using Tpwatch.Options;

namespace Tpwatch.Serve;

/// <summary>
/// Keeps the evidence of what begins while nobody looks: once an episode has lasted some seconds or is over, a recording of the minutes
/// before and a page. A folder that is full is told once, and the watch goes on.
/// </summary>
sealed class Incidents(IncidentFolder folder, CommandContext context)
{
    /// <summary>What a process's flight recorder holds for it: minutes of a busy one, ten of an idle one.</summary>
    const long RetainedBytes = 512 << 10;

    /// <summary>So long an episode may go on before it is written, so that its beginning is in the recording.</summary>
    static readonly TimeSpan Ripe = TimeSpan.FromSeconds(10);

    /// <summary>A process that starves again and again must not push the incidents of others out.</summary>
    static readonly TimeSpan Apart = TimeSpan.FromMinutes(10);

    readonly Dictionary<string, Incident> known = [];
    string? told;

    /// <summary>Incidents that were written.</summary>
    public long Kept { get; private set; }

    /// <summary>Incidents that could not be written.</summary>
    public long Failed { get; private set; }

    /// <summary>How a process is watched, so that there is something to keep; what seems to hang is read where that is allowed.</summary>
    public static WatchOptions Retaining(ServeRequest asked) => new()
    {
        RetainBytes = asked.Incidents is null ? 0 : RetainedBytes,
        AsksForStacks = false,
        Inside = asked.AllowInside ? OwnProgram.Reader : null,
    };

    /// <summary>Looks whether one begins, is to be written, or is over.</summary>
    public void Look(FleetTarget target, TargetState state)
    {
        var now = context.Time.GetUtcNow();
        var before = known.GetValueOrDefault(state.Page);
        if (state.Open?.Kind.IsStarvation() == true)
        {
            if (before is null || (before.IsOver && now - before.Began >= Apart))
            {
                known[state.Page] = before = new(now);
            }

            if (!before.IsWritten && now - before.Began >= Ripe)
            {
                Write(target, before);
            }
        }
        else if (before is { IsOver: false })
        {
            Write(target, before);
            known[state.Page] = known[state.Page] with { IsOver = true };
        }
    }

    /// <summary>A process that is no longer watched; what it did at its end is kept.</summary>
    public void Leave(FleetTarget target)
    {
        if (known.Remove(target.Page, out var incident) && !incident.IsOver)
        {
            Write(target, incident);
            known.Remove(target.Page);
        }
    }

    void Write(FleetTarget target, Incident incident)
    {
        if (incident.IsWritten || target.Watch is null)
        {
            return;
        }

        known[target.Page] = incident with { IsWritten = true };
        var name = string.Create(CultureInfo.InvariantCulture, $"{incident.Began.UtcDateTime:yyyyMMdd_HHmmss}_{target.Page}");
        try
        {
            // Whoever looks has a watch: incidents are written between rounds, not while one is replaced.
            var watch = target.Watch!;
            folder.Write(name, path => watch.SaveRetained(path), watch.Report);
            Kept++;
            told = null;
            context.Note($"saved the incident as {folder.PathOf(name)}.html, with the recording in the same folder");
        }
        catch (Exception e) when (e is ForeseenException or IOException or UnauthorizedAccessException)
        {
            Failed++;
            Tell($"could not save the incident of {target.Page}: {e.Message}");
        }
    }

    // A full disk stays full for hours.
    void Tell(string sentence)
    {
        if (told is null)
        {
            context.Note(sentence, "tpwatch keeps watching; tpwatch_incidents_total counts further failures");
        }

        told = sentence;
    }

    /// <summary>An episode of a process.</summary>
    /// <param name="Began">When it was first seen.</param>
    sealed record Incident(DateTimeOffset Began)
    {
        public bool IsWritten { get; init; }
        public bool IsOver { get; init; }
    }
}
