using Microsoft.Win32.SafeHandles;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>Whether the process is stopped at a look, and from which look to which it was.</summary>
/// <param name="Stopped">Whether it is.</param>
/// <param name="Since">The look that first found it stopped; null where it runs, and ran at the look before.</param>
/// <param name="Until">The look that last found it stopped.</param>
/// <param name="Changed">Whether it was otherwise at the look before.</param>
readonly record struct StopSpan(bool Stopped, EventTime? Since, EventTime? Until, bool Changed);

/// <summary>Follows whether the process is stopped, by a signal (T), a debugger (t) or a frozen control group.</summary>
sealed class RunState(ProcTree tree, int pid, ControlGroup group) : IDisposable
{
    // Its number, its name of 15 bytes at most, its state, and some more.
    readonly byte[] line = new byte[64];

    // Kept open: it is read eight times a second, and opening costs more than reading.
    readonly SafeFileHandle? file = tree.Open(pid, "stat");
    EventTime? since;
    EventTime? until;
    volatile bool stopped;

    /// <summary>Whether it was stopped at the last look; for any thread.</summary>
    public bool Stopped => stopped;

    /// <summary>Looks once.</summary>
    public StopSpan Look(EventTime now)
    {
        var was = stopped;
        stopped = State() is 'T' or 't' || group.IsFrozen();
        if (stopped)
        {
            (since, until) = (was ? since : now, now);
        }

        return new StopSpan(stopped, was || stopped ? since : null, was || stopped ? until : null, stopped != was);
    }

    public void Dispose() => file?.Dispose();

    // The letter behind the name, which may itself hold blanks and parentheses; null when the process is gone.
    char? State()
    {
        try
        {
            var text = line.AsSpan(0, file is null ? 0 : RandomAccess.Read(file, line, 0));
            var after = text.LastIndexOf((byte)')') + 2;
            return after > 1 && after < text.Length ? (char)text[after] : null;
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            return null;
        }
    }
}
