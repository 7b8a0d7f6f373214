using System.Diagnostics;
using System.Text;

namespace Tpwatch.Sessions;

/// <summary>
/// Reads what a child writes on the streams that were redirected, for a full pipe would stop it; passes it on, and keeps the last of its
/// standard error for the case that it does not come up.
/// </summary>
sealed class ChildOutput
{
    const int MostKept = 4096;
    const int Buffer = 4096;

    /// <summary>Programs that the child has left behind may hold its streams open.</summary>
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(1);

    readonly Task reading;
    readonly List<byte> kept = [];

    public ChildOutput(Process process, Stream? passOn)
    {
        var start = process.StartInfo;
        var errors = start.RedirectStandardError ? ReadAsync(process.StandardError.BaseStream, passOn, Keep) : Task.CompletedTask;
        var output = start.RedirectStandardOutput ? ReadAsync(process.StandardOutput.BaseStream, passOn, _ => { }) : Task.CompletedTask;
        reading = Task.WhenAll(errors, output);
    }

    /// <summary>Waits until everything that was written has been passed on.</summary>
    public async Task EndAsync()
    {
        try
        {
            await reading.WaitAsync(EndLimit).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
        }
    }

    /// <summary>The first line of what came last on standard error, or null; after <see cref="EndAsync"/>.</summary>
    public string? SaidFirst() => Encoding.UTF8.GetString([.. this.kept])
        .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).FirstOrDefault();

    void Keep(ReadOnlyMemory<byte> bytes)
    {
        this.kept.AddRange(bytes.ToArray());
        this.kept.RemoveRange(0, Math.Max(0, this.kept.Count - MostKept));
    }

    static async Task ReadAsync(Stream from, Stream? passOn, Action<ReadOnlyMemory<byte>> each)
    {
        var buffer = new byte[Buffer];
        try
        {
            while (await from.ReadAsync(buffer).ConfigureAwait(false) is > 0 and var count)
            {
                each(buffer.AsMemory(0, count));
                passOn?.Write(buffer, 0, count);
                passOn?.Flush();
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // Its end was closed, or ours: nothing more can be passed on.
        }
    }
}
