using Tpwatch.Recordings;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>All .NET processes of this machine as they come and go, for who watches many.</summary>
interface IMachine : IDisposable
{
    /// <summary>Those that have come of age since the last look, ourselves left out; those that cannot be watched say why, once.</summary>
    IReadOnlyList<ProcessRow> Arrivals();

    /// <summary>A process that is not watched although it could be: if it still lives then, it arrives again.</summary>
    void Later(ProcessRow process, TimeSpan after);

    /// <summary>Whether a process is no more, or another has its number by now.</summary>
    bool HasGone(ProcessRow process);

    /// <summary>Attaches to one of them, in a way that a hundred can be afforded.</summary>
    /// <exception cref="ForeseenException">No session could be started, or its number belongs to another process by now.</exception>
    Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel);

    /// <summary>
    /// Opens a session of its own with one of them for what <c>record</c> keeps at basic depth; who asks reads it to its end.
    /// </summary>
    /// <exception cref="ForeseenException">As of <see cref="AttachAsync"/>.</exception>
    Task<ISideStream> StreamAsync(ProcessRow process, CancellationToken cancel);
}
