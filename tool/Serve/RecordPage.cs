using Tpwatch.Options;
using Tpwatch.Recordings;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>
/// Sends the raw event stream of a process from a separate session, so the reply is a complete recording and the watch is unaffected.
/// Duration and number of recordings are limited, since each recording costs the process as much as a session.
/// </summary>
sealed class RecordPage(FleetWatch fleet, IMachine machine, CommandContext context)
{
    /// <summary>Maximum number of recordings at a time; a runtime has 64 sessions for all tools together.</summary>
    public const int Most = 4;

    const string Asked = "duration=";

    const int PieceBytes = 1 << 16;

    /// <summary>Maximum duration of a recording, for a file of some megabytes. The command <c>record</c> has no such limit.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromMinutes(5);

    public static readonly TimeSpan Usual = TimeSpan.FromSeconds(30);

    /// <summary>Time limit for a process to end its session, which takes 130 ms. After the limit, the connection is closed.</summary>
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(3);

    ImmutableHashSet<string> underWay = [];

    /// <summary>Answers with a recording of the process that has this page name.</summary>
    public async Task<HttpReply> AnswerAsync(string page, string query, CancellationToken cancel) =>
        Duration(query) is not { } duration ? HttpReply.Say(400, "write ?duration=30s, at most 5m")
            : fleet.Process(page) is not { } process
                ? HttpReply.Say(404, "tpwatch watches no process with that name and id; / lists the watched processes")
            : !ImmutableInterlocked.Update(ref underWay, all => all.Count < Most ? all.Add(page) : all) ? TooMany(page)
            : await BeginAsync(page, process, duration, cancel);

    async Task<HttpReply> BeginAsync(string page, ProcessRow process, TimeSpan duration, CancellationToken cancel)
    {
        try
        {
            var stream = await machine.StreamAsync(process, cancel);
            context.Note(FormattableString.Invariant($"recording {page} for {duration.TotalSeconds:0.###} s, as requested over HTTP"));
            return new(200, "application/octet-stream", default)
            {
                Flow = (to, gone) => SendAsync(page, stream, duration, to, gone),
                Extra = new("Content-Disposition", $"attachment; filename=\"{page}.nettrace\""),
            };
        }
        catch (UserErrorException e)
        {
            Leave(page);
            return HttpReply.Say(503, e.Message);
        }
        catch
        {
            Leave(page);
            throw;
        }
    }

    // Copies the stream until the duration is over. The session is ended in any case, also after an error.
    async Task SendAsync(string page, ISideStream stream, TimeSpan duration, Stream to, CancellationToken cancel)
    {
        using CancellationTokenSource over = new();
        var ending = EndAfterAsync(stream, duration, over.Token);
        try
        {
            await stream.Events.CopyToAsync(to, PieceBytes, cancel);
        }
        finally
        {
            await over.CancelAsync();
            await EndAsync(page, stream, ending);
        }
    }

    async Task EndAfterAsync(ISideStream stream, TimeSpan duration, CancellationToken over)
    {
        await Task.WhenAny(Task.Delay(duration, context.Time, over));
        if (!over.IsCancellationRequested)
        {
            await stream.StopAsync(CancellationToken.None);
        }
    }

    async Task EndAsync(string page, ISideStream stream, Task ending)
    {
        using var limit = new CancellationTokenSource(EndLimit, context.Time);
        try
        {
            // The runtime answers only after the stream has been read to its end.
            await Task.WhenAll(ending, stream.StopAsync(limit.Token), stream.Events.CopyToAsync(Stream.Null, PieceBytes, limit.Token));
        }
        catch (OperationCanceledException)
        {
            // Closing the connection ends the session at the next write of the runtime.
        }
        finally
        {
            await stream.DisposeAsync();
            Leave(page);
        }
    }

    HttpReply TooMany(string page) => HttpReply.Say(429, Volatile.Read(ref underWay).Contains(page)
        ? "serve is already recording this process; try again later"
        : FormattableString.Invariant($"{Most} recordings are running, which is the maximum; try again later"));

    void Leave(string page) => ImmutableInterlocked.Update(ref underWay, all => all.Remove(page));

    static TimeSpan? Duration(string query) => query.Length == 0 ? Usual
        : query.StartsWith(Asked, StringComparison.Ordinal) && DurationText.TryParse(query[Asked.Length..], out var asked)
            && asked <= Longest ? asked
        : null;
}
