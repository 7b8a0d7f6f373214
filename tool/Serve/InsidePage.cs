using Tpwatch.Inside;
using Tpwatch.Options;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>
/// Reads the memory of a process on request, without pausing the process: queued work items, and what the threads wait for. Only one memory
/// reading runs at a time, since a reading keeps a processor busy.
/// </summary>
sealed class InsidePage(FleetWatch fleet, IMachine machine, Func<int, CancellationToken, Task<InsideOutcome>> read)
{
    /// <summary>Width of the reply in columns: most clients show the reply in a terminal.</summary>
    const int Width = 120;

    int busy;

    /// <summary>Answers with a memory reading of the process that has this page name.</summary>
    public async Task<HttpReply> AnswerAsync(string page, CancellationToken cancel)
    {
        if (fleet.Process(page) is not { } process || machine.HasGone(process))
        {
            return HttpReply.Say(404, "tpwatch watches no process with that name and id; / lists the watched processes");
        }

        if (process.Run is not null)
        {
            return HttpReply.Say(503, "tpwatch cannot read the memory of this process: only its diagnostic port is known");
        }

        if (Interlocked.Exchange(ref busy, 1) == 1)
        {
            return HttpReply.Say(429, "serve is reading the memory of a process already; try again in some seconds");
        }

        try
        {
            var outcome = await read(process.Pid, cancel);
            return outcome.Reading is { } reading
                ? HttpReply.Say(200, MomentRenderer.OfProcess(reading, $"{process.Name}, process {process.Pid}", Width).TrimEnd('\n'))
                : HttpReply.Say(503, outcome.Failure!);
        }
        finally
        {
            Volatile.Write(ref busy, 0);
        }
    }
}
